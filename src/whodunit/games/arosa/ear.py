"""How the trained listener does on the drops of a closed case, beside what was true: to compare one's notes with."""

from collections.abc import Sequence

from whodunit.core.judging import Trace
from whodunit.games.arosa.facts import Floor
from whodunit.games.arosa.model import AnyEvent, Dropped, Exposed, Opened, Options
from whodunit.tower import law, listen


def hindsight(events: Sequence[AnyEvent]) -> tuple[Trace, ...]:
    """Return of each drop where it came to lie, and what the trained listener makes of its noise alone.

    It reads the secrets of all events: only for closed cases. A drop whose noise the case no longer carries is listed
    without a guess.
    """
    found: list[Trace] = []
    options, inside = Options(), 0
    for seq, event in enumerate(events, 1):
        if isinstance(event, Opened):
            options = event.options
        elif isinstance(event, Exposed):
            inside -= len(event.found) + len(event.fallen)
        elif isinstance(event, Dropped):
            if event.moved:
                found.append(_trace(seq, event, event.moved[0].floor, inside, options))
            inside += 1
    return tuple(found)


def _trace(seq: int, event: Dropped, truth: Floor, inside: int, options: Options) -> Trace:
    word = f"floor {truth}"
    if not event.clip.data:
        return Trace(seq, word, None, 0.0)
    heard = listen(event.clip.media, event.clip.data, options.difficulty)
    likely = [prior * noise for prior, noise in zip(law(inside), heard, strict=True)]
    return Trace(seq, word, f"floor {likely.index(max(likely))}", likely[truth] / sum(likely))
