"""A table's frame is put together from pieces that are encoded once; it must be what its struct says."""

import asyncio

from tests.server.sites import Parlour, over
from whodunit.core.types import TABLE, Seat
from whodunit.core.wire import encode
from whodunit.host.live import Change
from whodunit.server import protocol
from whodunit.server.frames import Telling


def whole(change: Change, viewer: Seat) -> bytes:
    """Return the viewer's frame encoded in one piece."""
    now, after = change.live.table, change.batches[0].seq - 1
    assert now is not None
    offers = now.offers[viewer] if viewer != TABLE else ()
    frame = protocol.TableFrame(
        table=change.live.id,
        after=after,
        seq=now.seq,
        awaiting=tuple(sorted(now.awaiting - {TABLE})),
        outcome=now.outcome,
        closed=now.outcome is not None,
        events=Telling(change.live, change.batches, after).told(viewer),
        view=now.views[viewer],
        offers=tuple(protocol.OfferNow(offer.action.__name__, offer.choices, offer.since) for offer in offers),
        may_undo=viewer >= 0 and change.live.undoer == viewer,
    )
    return encode(frame)


def test_a_frame_of_pieces_is_the_struct_encoded_whole() -> None:
    async def scene() -> set[bytes]:
        met: set[bytes] = set()

        def compare(change: Change) -> None:
            if not change.batches or change.live.table is None:
                return
            telling = Telling(change.live, change.batches, change.batches[0].seq - 1)
            for viewer in change.live.table.viewers:
                frame = telling.to(viewer).rstrip()  # `padding.py` adds what tells nothing
                assert frame == whole(change, viewer)
                met.add(bytes(frame[frame.rindex(b",") + 1 :]))

        async with Parlour() as parlour:
            parlour.host.listeners.append(compare)
            table, pages = await parlour.table("ada", "bob", "cleo", options={"max_turns": 12})
            await parlour.play(pages, table, over)
        return met

    assert asyncio.run(scene()) == {b'"may_undo":false}', b'"may_undo":true}'}
