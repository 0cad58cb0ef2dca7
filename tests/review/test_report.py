"""The report of a review: the same figures in a terminal, in a page to send around, and as data."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest

import whodunit
from tests.review.conftest import played
from whodunit import games
from whodunit.cli import main
from whodunit.core.types import TABLE
from whodunit.review import review, words
from whodunit.review.html import as_html
from whodunit.review.report import PARTS, Curve, Subject, as_text, course, curves, decision, letters, plot, worst
from whodunit.review.verdict import LABELS, Account
from whodunit.table.case import Case

PLAYERS = ("Agatha", "Basil", "Celeste")


@pytest.fixture(scope="module")
def subject(case: Case) -> Subject:
    return told(case)


def told(case: Case, reader: int = 0, language: str = "en") -> Subject:
    texts = words.texts("nightcap", language)
    players = PLAYERS[: case.header.seats]
    return Subject(review(case), "nightcap", len(case.events), case.outcome, texts, players, reader)


# --- The words ---------------------------------------------------------------------------------------------------


def own(language: str) -> dict[str, str]:
    return words._texts(language)


@pytest.mark.parametrize("language", games.LANGUAGES)
def test_every_language_has_every_sentence_with_the_same_places(language: str) -> None:
    def places(text: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(text)} - {None}

    english = {key: places(text) for key, text in own("en").items()}

    assert {key: places(text) for key, text in own(language).items()} == english
    assert {f"review.label.{label}" for label in LABELS} <= english.keys()
    assert {f"review.part.{part}" for part in Account.__struct_fields__} <= english.keys()


@pytest.mark.parametrize("language", games.LANGUAGES)
def test_every_sentence_of_a_report_is_there(case: Case, language: str) -> None:
    """A missing one is a KeyError."""
    for reader in range(3):
        assert as_text(told(case, reader, language), 80)
        assert as_html(told(case, reader, language), language)


def test_the_games_own_words_go_before_the_houses() -> None:
    texts = words.texts("nightcap", "de")

    assert texts["term.Banker"] == "the Banker"  # the example speaks English alone
    assert texts["why.hand"] == games.texts("nightcap", "de")["why.hand"]
    assert texts["review.report.nobody"] == "Niemand hat gewonnen."


# --- In a terminal -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [40, 57, 80, 100])
def test_no_line_is_wider_than_the_terminal(subject: Subject, width: int) -> None:
    assert max(map(len, as_text(subject, width).splitlines())) <= width


def test_every_viewer_is_in_the_plot_where_its_bits_are(subject: Subject) -> None:
    drawn = plot(subject, 80)
    rows = [line.partition("|")[2] for line in drawn if "|" in line]
    under = {line.split()[0]: line.split()[1:] for line in drawn if line[:7].strip() in {"o", "x"}}
    marks = letters(subject)

    assert {*"".join(rows)} - {" "} == {*marks.values()}
    first = min(curve.points[0][0] for curve in curves(subject))
    assert rows[-1].endswith(marks[subject.reader])  # when it is over all is known, and one's own line is on top
    spectator = next(curve for curve in curves(subject) if curve.viewer == TABLE)
    assert spectator.at(first) == max(left for curve in curves(subject) for _, left in curve.points)
    assert rows[0].startswith(marks[TABLE])
    assert under == {"o": ["C"], "x": ["C"]}  # only the detective could know it, and named it


def test_a_curve_stays_until_the_next_event_that_changes_it() -> None:
    curve = Curve(0, ((5, 3.0), (8, 2.0), (12, 0.5)))

    assert [curve.at(event) for event in (1, 5, 7.9, 8, 11, 12, 99)] == [3.0, 3.0, 3.0, 2.0, 2.0, 0.5, 0.5]


def test_players_with_the_same_initial_have_numbers(subject: Subject) -> None:
    alike = subject._replace(players=("Ann", "Anton", "Berta"))

    assert letters(alike) == {0: "1", 1: "2", 2: "3", TABLE: "."}


def test_the_figures_are_those_of_the_review(subject: Subject) -> None:
    text = as_text(subject, 100)
    for seat, part in subject.review.seats.items():
        row = next(row for row in grid_rows(subject) if row[0] == subject.names[seat])
        assert row[1] == f"{part.began:.2f}"
        assert row[-3] == f"{part.steps[-1].left:.2f}"
    for name in PARTS:
        figures = [f"{getattr(subject.review.seats[seat].account, name):+.2f}" for seat in range(3)]
        line = next(line for line in text.splitlines() if line.startswith(f"  {subject.texts[f'review.part.{name}']} "))
        assert line.split()[-3:] == figures


def grid_rows(subject: Subject) -> tuple[tuple[str, ...], ...]:
    grid = course(subject).grid
    assert grid is not None
    return grid.rows


def test_the_costliest_decisions_come_first_with_the_best_three(subject: Subject) -> None:
    part = subject.review.seats[0]
    made = worst(part)

    assert [choice.verdict.label for choice in made] == ["blunder", "mistake"]
    section = decision(subject, made[0])
    best = [line for line in section.lines if line.startswith("Best ")]
    assert [line.partition(":")[0] for line in best] == ["Best 1", "Best 2", "Best 3"]
    assert f"({made[0].verdict.best[0].value:.2f} bits)" in best[0]
    assert f"Lost: {made[0].verdict.loss:.2f} bits." in section.lines[0]
    assert as_text(subject, 80).index(section.title) < as_text(subject, 80).index(decision(subject, made[1]).title)


def test_who_made_no_mistake_is_told_so(case: Case) -> None:
    text = as_text(told(case, 2), 80)

    assert worst(review(case).seats[2]) == []
    assert "What cost Celeste most\n\n  Nothing worth naming." in text
    assert "Why Celeste could have known it from event" in text


def test_a_game_that_was_put_aside_is_told_as_such() -> None:
    case = whodunit.new_game("nightcap", seats=2, seed=3).close()

    assert as_text(told(case), 80).splitlines()[2] == "The game was put aside before its end."


# --- As a page ---------------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Reads a page as a strict reader does: what is opened is closed, in the other order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [f"{name}={value}" for name, value in attrs if name in {"src", "href", "onload", "action"}]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


def test_the_page_stands_alone(subject: Subject) -> None:
    page = as_html(subject, "en")
    reader = read(page)

    assert not {"script", "link", "img", "iframe"} & {*reader.tags}
    assert reader.links == []
    assert "url(" not in page
    assert "@import" not in page
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page
    assert page.startswith('<!doctype html>\n<html lang="en">')


def test_the_graph_has_every_viewer_and_a_table_that_says_the_same(subject: Subject) -> None:
    page = as_html(subject, "en")

    assert len(re.findall(r'<path class="curve(?: own)?" d="[^"]+"[^>]*><title>', page)) == 4
    assert len(re.findall(r'<path class="curve own"', page)) == 1
    assert len(re.findall(r'<circle class="known"', page)) == 1
    assert len(re.findall(r'<path class="named"', page)) == 1
    said = read(page).words
    for row in grid_rows(subject):
        assert {*row} <= {*said}


def test_what_a_player_is_called_is_no_markup(subject: Subject) -> None:
    page = as_html(subject._replace(players=('<script>alert("A")</script>', "B & C", "D")), "en")

    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "B &amp; C" in page
    read(page)


# --- On the command line -----------------------------------------------------------------------------------------


@pytest.fixture
def saved(case: Case, tmp_path: Path) -> Path:
    path = tmp_path / "game.case"
    whodunit.save(case, path)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = main(["review", *map(str, arguments)])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_a_case_is_reviewed_in_words(capsys: pytest.CaptureFixture[str], saved: Path) -> None:
    status, out, err = run(capsys, saved, "--seat", 2)

    assert (status, err) == (0, "")
    assert out.startswith("Nightcap with 3 players: the review\n\nWon by Celeste (you).\n")
    assert "You named the solution as soon as it could be known: the Banker." in out


def test_it_speaks_every_language(capsys: pytest.CaptureFixture[str], saved: Path) -> None:
    _, out, _ = run(capsys, saved, "--language", "de")

    assert out.startswith("Nightcap zu 3: die Nachbetrachtung\n\nGewonnen hat: Celeste.\n")
    assert "Agatha (du)" in out


def test_as_data_it_is_one_object_with_every_viewer(
    capsys: pytest.CaptureFixture[str], saved: Path, case: Case
) -> None:
    status, out, _ = run(capsys, saved, "--json", "--seat", 1)
    data = json.loads(out)

    assert status == 0
    assert [part["seat"] for part in data["seats"]] == [1, 0, 2, TABLE]
    parts = review(case).seats
    assert {part["seat"]: part["began"] for part in data["seats"]} == {seat: part.began for seat, part in parts.items()}
    assert data["whole"]["told"] == [[*row] for row in review(case).whole.told]


def test_a_page_is_written_and_nothing_else(capsys: pytest.CaptureFixture[str], saved: Path) -> None:
    page = saved.with_suffix(".html")
    status, out, _ = run(capsys, saved, "--html", page)

    assert (status, out) == (0, "")
    assert read(page.read_text("utf-8")).tags.count("svg") == 5  # the graph, and its key


def test_what_cannot_be_reviewed_is_one_clear_line(
    capsys: pytest.CaptureFixture[str], saved: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.case"

    def refused(content: bytes, *arguments: object) -> str:
        bad.write_bytes(content)
        status, out, err = run(capsys, bad, *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1)
        return err

    whole = saved.read_bytes()
    running = whodunit.new_game("nightcap", seats=3, seed=1)
    whodunit.save(running, tmp_path / "mine", seat=0)
    lines = whole.splitlines(keepends=True)

    assert "cut off" in refused(b"".join(lines[:-1]))
    assert "line 2: " in refused(whole.replace(b"Actress", b"Colonel", 1))
    assert "line 1: " in refused(b"GIF89a \xff\xfe")
    assert "line 1: a case begins with its header" in refused(b"")
    assert "transcript of one viewer" in refused((tmp_path / "mine").read_bytes())
    assert "still open" in refused(still_open(running))
    assert "there is no seat 3; there is: 0 to 2" in refused(whole, "--seat", 3)
    assert "No such file" in refused(whole, "--html", tmp_path / "nowhere" / "page.html")
    assert run(capsys, tmp_path / "none.case")[0] == 2


def still_open(case: Case) -> bytes:
    """Return a file that nothing of ours writes: a case that runs, with its seal."""
    from whodunit.table import case_file  # noqa: PLC0415  (its parts are nobody else's business)

    entries = [
        case_file.CaseEntry(case.header),
        *(entry for batch in case.batches for entry in case_file._with_blobs(batch)),
        case_file.EndEntry(None, case.seal),
    ]
    return b"".join(case_file._lines(iter(entries)))


def test_a_night_without_a_winner() -> None:
    nobody = played("n", "random", "random", midnight=6)
    assert nobody.outcome is not None
    assert nobody.outcome.winners == ()

    assert as_text(told(nobody), 80).splitlines()[2] == "Nobody has won."
