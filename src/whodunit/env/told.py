"""What a viewer of an episode has been told, and what it sees now, as text: equal where that is equal."""

from whodunit import describe
from whodunit.core.types import TABLE, Seat
from whodunit.core.wire import encode
from whodunit.env.episode import Episode


def told(episode: Episode, viewer: Seat, since: int = 0) -> str:
    """Return what happened after event number `since` as the viewer saw it, event by event."""
    return "".join([f"{encode(event).decode()}\n" for event in episode.light.news(viewer, since)])


def shown(episode: Episode, viewer: Seat) -> str:
    """Return what the viewer sees now."""
    return f"{encode(episode.light.view(viewer)).decode()}\n{now(episode, viewer)}"


def in_words(episode: Episode, viewer: Seat) -> str:
    """Return what the viewer sees now, in words for people."""
    view = episode.light.view(viewer)
    return describe(episode.terms.game, view, seat=None if viewer == TABLE else viewer)


def now(episode: Episode, viewer: Seat) -> str:
    """Return who decides, which everybody knows, and what the viewer has begun to say of its own decision."""
    begun = ", ".join(map(episode.terms.space.name, episode.begun)) if viewer == episode.seat else ""
    return f"seat {episode.seat} decides{f' and has said: {begun}' if begun else ''}"
