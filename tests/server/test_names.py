"""What people may call themselves: what can be seen, in any script, and nothing that looks like another's name."""

import asyncio
from itertools import combinations

import pytest

from tests.server.client import Refused
from tests.server.sites import SALT, Parlour, terms_of
from whodunit.core.errors import Refusal
from whodunit.room.entries import Sat
from whodunit.server.frames import NAMES
from whodunit.server.names import alike, clean_name, clean_words

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u2060\u2800\u3164\ufe00\ufe0f\uffa0\ufffc"
)
FURTHER = "\u00ad\U00013441\U0001d159\U0001d173\U000e0001\U000e0041\U000e0100"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ada", "Ada"),
        ("  Ada \t  Lovelace\n", "Ada Lovelace"),
        ("x" * 24, "x" * 24),
        ("A\u0308nne", "Änne"),
        ("Ève 王 🕵", "Ève 王 🕵"),
        ("\u202eadA\u202c", "adA"),
        ("A\u200bd\u200ea\u2066", "Ada"),
        ("A\x00d\x1b[31ma\x7f", "Ad[31ma"),
        ("A\ufeffda", "Ada"),
        ("Ada\u00a0\u3000B", "Ada B"),
        (f"{'x' * 24}\u200b\u200b", "x" * 24),
        ("<b>Ada</b>", "<b>Ada</b>"),
    ],
)
def test_a_name_is_shown_without_marks_that_nobody_sees(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize("typed", ["", "   ", "\u200b", "\u202e\u2066", "\u0301", "\u3000", "x" * 25, "\ue000", "\x00"])
def test_a_name_of_nothing_or_too_much_is_refused(typed: str) -> None:
    with pytest.raises(Refusal, match="bad_name"):
        clean_name(typed)


@pytest.mark.parametrize("letter", INVISIBLE + FURTHER)
def test_what_no_font_shows_is_no_part_of_a_name_or_of_words(letter: str) -> None:
    with pytest.raises(Refusal, match="bad_name"):
        clean_name(letter)
    with pytest.raises(Refusal, match="bad_words"):
        clean_words(f" {letter}{letter} ")
    assert clean_name(f"{letter}An{letter}na{letter}") == "Anna"
    assert clean_words(f"good{letter} luck") == "good luck"


@pytest.mark.parametrize(
    "name",
    [
        *("José", "Ørsted", "小明", "محمد", "O'Neil", "Anna 2", "Łukasz", "Ольга", "Ελένη", "דוד", "สมชาย", "김철수"),
        *("约翰·史密斯", "राम", "Zoë", "Nguyễn", "Jean-Luc", "Dr. No", "ツ", "x_X"),
        "می\u200cخو\u0627\u0647م",  # Persian needs what does not join
        "क्\u200dष",  # and Hindi what does
        *("❤\ufe0f", "1\ufe0f⃣", "👩\u200d🚀", "🏳\ufe0f\u200d🌈", "👍🏽", "🇩🇪", "Anna ❤\ufe0f Bob"),
    ],
)
def test_an_ordinary_name_in_any_script_stays_as_it_is(name: str) -> None:
    assert clean_name(name) == name
    assert alike(name, name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ida", "ida"),
        ("Ida", "lda"),  # a small L
        ("Ida", "1da"),
        ("Ida", "Id\u0430"),  # the last is Cyrillic
        ("Otto", "0tto"),
        ("Vera", "\u2164era"),
        ("Hugo", "\u0397ugo"),  # the first is Greek
        ("\u041c\u0430\u0445", "Max"),
        ("Anna", "\uff21\uff4e\uff4e\uff41"),
        ("Anna", "\U0001d49cnna"),
        ("O'Neil", "O\u2019Neil"),
        ("Emma", "Ernma"),
        ("❤", "❤\ufe0f"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Anna", "Anna 2"), ("José", "Jose"), ("小明", "小朋"), ("Ida", "Ada"), ("", "")]
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not alike(one, other)


def test_no_two_bots_look_alike() -> None:
    assert not any(alike(one, other) for one, other in combinations(NAMES, 2))


# --- At a table -----------------------------------------------------------------------------------------------------


def shown(page_room: dict[str, list[dict[str, str]]]) -> list[str]:
    return [chair["name"] for chair in page_room["chairs"]]


def test_no_two_names_at_a_table_look_alike() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            ada, bob, eve = parlour.page("ada"), parlour.page("bob"), parlour.page("eve")
            terms = terms_of(public=True, chairs=[None, None, None, "random"], name="Max")
            table = (await ada.ask("create_table", **terms))["table"]
            await eve.ask("watch_table", table=table)
            assert shown(eve.told.room) == ["Max", "", "", "Ida"]

            for name in ("\u041c\u0430\u0445", "max", "M\u034fax"):
                with pytest.raises(Refused, match="name_taken"):
                    await bob.ask("sit_down", table=table, seat=1, name=name, salt=SALT)
            await bob.ask("sit_down", table=table, seat=1, name="lda", salt=SALT)  # and the bot is called otherwise
            assert shown(eve.told.room) == ["Max", "lda", "", "Otto"]
            for name in ("M\u0430\u0445", "Ida", "0tto"):
                with pytest.raises(Refused, match="name_taken"):
                    await eve.ask("say", table=table, text="hello", name=name)
            with pytest.raises(Refused, match="name_taken"):  # to be renamed is no way round
                await bob.ask("sit_down", table=table, seat=1, name="\u041c\u0410\u0425", salt=SALT)

            await eve.ask("say", table=table, text="he\u3164llo", name="Eve")
            assert eve.told.last["chat"]["lines"][0]["text"] == "hello"
            with pytest.raises(Refused, match="name_taken"):
                await parlour.page("mallory").ask("say", table=table, text="hello", name="\u0415ve")
            await parlour.page("cleo").ask("sit_down", table=table, seat=2, name="Eve", salt=SALT)
            with pytest.raises(Refused, match="name_taken"):  # whoever sits comes first
                await eve.ask("say", table=table, text="me too", name="Eve")

    asyncio.run(scene())


def test_names_that_earlier_versions_took_are_told_apart_in_a_rematch() -> None:
    async def scene() -> None:
        async with Parlour() as parlour:
            table, (ada, _) = await parlour.table("ada", "bob", options={"starter": 0})
            live = await parlour.host.get(table)
            alias = Sat(at=live.room.at, seat=1, person="bob", name="\u0430da", salt=SALT)
            await parlour.host.writer.note(live, lambda _: [alias])
            assert live.table is not None
            live.table = live.table.abandon()
            new = (await ada.ask("rematch", table=table, salt=SALT))["table"]
            assert [chair.name for chair in (await parlour.host.get(new)).room.chairs] == ["ada", "\u0430da 2"]

    asyncio.run(scene())
