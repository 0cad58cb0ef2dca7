import ast
from textwrap import dedent

import pytest

from whodunit.bench.mutants.mutate import changed, changes, drawn, unchanged

MODULE = dedent(
    '''
    """A small game."""

    from typing import TYPE_CHECKING, Final, TypeAlias, assert_never
    from functools import lru_cache

    if TYPE_CHECKING:
        from whodunit.core.types import Seat

    Card: TypeAlias = str | None
    Either = int | str
    LIMIT: Final = 3
    NAMES = ("Plum", "Green")


    @lru_cache(maxsize=128)
    def twice(count: int) -> int:
        """Return it twice."""
        return count * 2


    def legal(state: "State", seat: int = 0) -> list[str]:
        if state.turn == seat and not state.over:
            return ["roll", *([] if seat else ["accuse"])]
        for other in range(LIMIT):
            if other in state.out:
                continue
            state = state.after(other, seat)
        return []


    def decide(state, seat, action):
        assert state is not None, "no state"
        match action:
            case Show(card=card) if card is not None:
                return [Shown(by=seat, to=state.asker, card=card, known_to=frozenset({seat, state.asker})), end(state)]
            case Pass(times=1):
                total = 0
                while total < 3:
                    total += 1
                return (total,)
            case True:
                raise ValueError(f"seat {seat} may not", "again")
            case _:
                assert_never(action)
    '''
)


def kinds(source: str) -> dict[str, set[str]]:
    """Return the texts that each kind of change puts into the source."""
    found: dict[str, set[str]] = {}
    for change in changes(source):
        found.setdefault(change.kind, set()).add(changed(source, change))
    return found


def of_kind(kind: str, source: str) -> set[str]:
    return kinds(dedent(source).strip()).get(kind, set())


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        ("comparison", "x = a == b", {"x = a != b"}),
        ("comparison", "x = a < b <= c", {"x = a <= b <= c", "x = a < b < c"}),
        ("comparison", "x = a not in b", {"x = a in b"}),
        ("comparison", "x = a is None", {"x = a is not None"}),
        ("and/or", "x = a and b", {"x = a or b"}),
        ("and/or", "x = a or b", {"x = a and b"}),
        ("not", "x = not a", {"x = a"}),
        ("constant", "x = 7", {"x = 8", "x = 6"}),
        ("constant", "x = True", {"x = False"}),
        ("constant", "x = None", {"x = 0"}),
        ("constant", "x = 'a', 'b'", {"x = ('b', 'b')", "x = ('a', 'a')"}),
        ("constant", "x = 'alone'", set()),
        ("arithmetic", "x = a + b", {"x = a - b"}),
        ("arithmetic", "x = a | b", set()),
        ("arithmetic", "x += a % b", {"x -= a % b", "x += a // b"}),
        ("condition", "x = a if b else c", {"x = a if True else c", "x = a if False else c"}),
        ("condition", "x = [a for a in b if c]", {"x = [a for a in b if True]", "x = [a for a in b if False]"}),
        ("arguments", "x = f(a, b, c)", {"x = f(b, a, c)", "x = f(a, c, b)"}),
        ("arguments", "x = f(a, *b)", set()),
        ("arguments", "x = f(a, a)", set()),
        ("arguments", "x = max(a, b)", set()),
        ("arguments", "x = f(by=a, to=b, known_to=c)", {"x = f(by=b, to=a, known_to=c)"}),
        (
            "audience",
            "x = f(known_to=frozenset({a, b}))",
            {
                "x = f(known_to=frozenset({b}))",
                "x = f(known_to=frozenset({a}))",
                "x = f(known_to=frozenset())",
                "x = f(known_to=frozenset(range(-1, 12)))",
            },
        ),
        ("audience", "x = f(known_to=a)", {"x = f(known_to=frozenset())", "x = f(known_to=frozenset(range(-1, 12)))"}),
        ("audience", "x = f(known_to=frozenset())", {"x = f(known_to=frozenset(range(-1, 12)))"}),
    ],
)
def test_a_change_of_an_expression(kind: str, source: str, expected: set[str]) -> None:
    assert of_kind(kind, source) == expected


def test_a_statement_is_dropped() -> None:
    assert of_kind("statement", "def f(a):\n    a.go()\n    return a") == {
        "def f(a):\n    pass\n    return a",
        "def f(a):\n    a.go()\n    pass",
    }


def test_a_last_return_of_none_is_not_dropped_for_it_happens_anyway() -> None:
    assert not of_kind("statement", "def f(a):\n    return None")


def test_a_condition_is_forced() -> None:
    assert of_kind("condition", "def f(a):\n    if a:\n        pass") == {
        "def f(a):\n    if True:\n        pass",
        "def f(a):\n    if False:\n        pass",
    }


def test_a_loop_is_never_forced_to_go_on() -> None:
    assert of_kind("condition", "while a:\n    b()") == {"while False:\n    b()"}


def test_an_element_of_a_returned_list_is_dropped() -> None:
    assert of_kind("element", "def f(a, b):\n    return [a, *b] if a else (b,)") == {
        "def f(a, b):\n    return [*b] if a else (b,)",
        "def f(a, b):\n    return [a] if a else (b,)",
        "def f(a, b):\n    return [a, *b] if a else ()",
    }


def test_a_guard_is_removed() -> None:
    assert of_kind("guard", "match a:\n    case b if c:\n        pass\n    case _:\n        pass") == {
        "match a:\n    case b if True:\n        pass\n    case _:\n        pass"
    }


@pytest.mark.parametrize(
    "source",
    [
        '"""A module."""',
        "import a",
        "from a import b",
        "Card: TypeAlias = int | str",
        "Either = int | str",
        'Kind = Literal["a", "b"]',
        'T = TypeVar("T", bound="State")',
        'if TYPE_CHECKING:\n    Kind = "a"',
        "@lru_cache(maxsize=3)\ndef f(a: Literal[1]) -> Literal[2]:\n    ...",
        "class Shown(Event, frozen=True):\n    by: int",
        "assert a is not None, 'why'",
        "raise ValueError('why', 3)",
        "def f(a):\n    assert_never(a)",
        "x = f'{a} and {b == 2}'",
        "x = zip(a, strict=True)",
        "x = cast('Card', a)",
    ],
)
def test_what_no_test_could_notice_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_every_change_compiles_and_no_two_are_the_same() -> None:
    found = [changed(MODULE, change) for change in changes(MODULE)]

    for text in found:
        compile(text, "changed", "exec")
    assert len({*found, unchanged(MODULE)}) == len(found) + 1


def test_every_kind_is_found_and_says_where_and_what() -> None:
    found = changes(MODULE)
    lines = MODULE.splitlines()

    assert {change.kind for change in found} == {
        "and/or", "arguments", "arithmetic", "audience", "comparison", "condition", "constant", "element", "guard",
        "not", "statement",
    }  # fmt: skip
    assert all(change.old != change.new for change in found)
    assert all("frozenset({seat, state.asker})" in lines[each.line - 1] for each in found if each.kind == "audience")


def test_the_same_seed_draws_the_same_changes() -> None:
    assert changes(MODULE)[0].path == changes(MODULE)[0].path
    assert drawn(10, 100, seed=3) == drawn(10, 100, seed=3)
    assert drawn(10, 100, seed=3) != drawn(10, 100, seed=4)


def test_a_draw_is_spread_evenly_and_repeats_nothing() -> None:
    assert [place // 10 for place in drawn(10, 100, seed=1)] == list(range(10))
    assert drawn(200, 7, seed=1) == [0, 1, 2, 3, 4, 5, 6]


def test_unchanged_keeps_the_meaning() -> None:
    assert ast.dump(ast.parse(unchanged(MODULE))) == ast.dump(ast.parse(MODULE))
