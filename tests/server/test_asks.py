"""One table of asks: each of the protocol's is in it once, with its lane."""

from collections import Counter
from typing import get_args

from whodunit.server import protocol
from whodunit.server.asks import ROWS
from whodunit.server.sockets import Lane, Writes


def test_every_ask_of_the_protocol_has_one_row() -> None:
    assert Counter(row.ask for row in ROWS) == Counter(get_args(protocol.AnyAsk))


def test_an_ask_whose_lane_depends_on_the_table_names_one() -> None:
    slow = {row.ask for row in ROWS if row.lane is Lane.ASIDE_IF_SLOW}

    assert slow == {protocol.Act, protocol.Start}
    assert all("table" in ask.__struct_fields__ for ask in slow)


def test_no_move_waits_for_what_takes_thought() -> None:
    aside = {row.ask.__struct_config__.tag for row in ROWS if row.lane is Lane.ASIDE}

    assert aside == {
        *("notes", "why", "give_hint", "give_advice", "peek", "look", "check_seal", "practise", "set_hook", "retry"),
        *("open_case", "turn_line", "claim_case", "check_mark", "give_up", "read_challenge", "read_duel"),
    }
    long = {row.ask.__struct_config__.tag for row in ROWS if row.lane is Lane.LONG}
    assert long == {"read_review", "read_archive", "make_duel"}


READING = {
    *("watch_lobby", "leave_lobby", "open_network", "practise", "watch_table", "leave_table", "looking"),
    *("notes", "why", "give_hint", "give_advice", "check_seal", "look", "peek", "read_review", "retry"),
    *("read_today", "read_archive"),
    *("read_challenge", "read_duel"),
}
"""What writes nothing down, or only what the house would write by itself."""


def test_whatever_is_written_down_is_counted() -> None:
    free = {row.ask.__struct_config__.tag for row in ROWS if row.writes is Writes.NOTHING}
    assert free == READING
    tables = {row.ask.__struct_config__.tag for row in ROWS if row.writes is Writes.TABLE}
    assert tables == {"create_table", "first_case", "rematch", "begin_challenge", "begin_duel"}
    notes = {row.ask.__struct_config__.tag for row in ROWS if row.writes is Writes.WORDS}
    assert {"mark", "jot", "say", "say_phrase", "set_hook"} <= notes
