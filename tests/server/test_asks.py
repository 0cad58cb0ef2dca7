"""One table of asks: each of the protocol's is in it once, with its lane."""

from collections import Counter
from typing import get_args

from whodunit.server import protocol
from whodunit.server.asks import ROWS
from whodunit.server.sockets import Lane


def test_every_ask_of_the_protocol_has_one_row() -> None:
    assert Counter(row.ask for row in ROWS) == Counter(get_args(protocol.AnyAsk))


def test_an_ask_whose_lane_depends_on_the_table_names_one() -> None:
    slow = {row.ask for row in ROWS if row.lane is Lane.ASIDE_IF_SLOW}

    assert slow == {protocol.Act, protocol.Start}
    assert all("table" in ask.__struct_fields__ for ask in slow)


def test_no_move_waits_for_what_takes_thought() -> None:
    aside = {row.ask.__struct_config__.tag for row in ROWS if row.lane is Lane.ASIDE}

    assert aside == {"notes", "why", "give_hint", "peek", "look", "check_seal", "practise", "set_hook"}
