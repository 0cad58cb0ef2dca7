"""How many indices each game's actions have, as the tables of docs/environments.md: `python -m whodunit.env.sizes`."""

import sys
from collections.abc import Iterator, Mapping, Sequence

from whodunit import games
from whodunit.core.offer import Choice, Order, Some
from whodunit.env.space import LISTED, ActionSpace


def tables() -> str:
    """Return a table for each of our games, with the options as they are by default."""
    return "\n\n".join(f"**{games.texts(id)['name']}**\n\n{_table(id)}" for id in games.ids() if _is_ours(id))


def _is_ours(id: str) -> bool:
    return games.registered()[id].is_ours


def _table(id: str) -> str:
    least, most = games.get(id).INFO.seats
    counts = range(least, most + 1)
    spaces = [ActionSpace(id, seats, {}) for seats in counts]
    rows = [
        ("action", "its index says", *(f"{seats} seats" for seats in counts)),
        ("---", "---", *("---:" for _ in counts)),
    ]
    widest = games.get(id).space(most, games.get(id).INFO.parse(most, {}), 1)
    assert widest is not None
    for kind in dict.fromkeys(offer.action for offer in widest):
        fields = [_fields(offer.choices) for offer in widest if offer.action is kind]
        sizes = [sum(part.size for part in space.parts[kind]) for space in spaces]
        rows.append((f"`{kind.__name__}`", " or ".join(dict.fromkeys(fields)), *map(str, sizes)))
    rows.append(("`Wait`", "", *("1" for _ in counts)))
    rows.append(("all", "", *(f"**{space.size}**" for space in spaces)))
    return "\n".join(_lines(rows))


def _fields(choices: Mapping[str, Choice]) -> str:
    return ", ".join(f"{name} ({_count(choice)})" for name, choice in choices.items())


def _count(choice: Choice) -> str:
    """Return of how many values a field takes one; of an order and of many from many, how it is spelled."""
    if isinstance(choice, Order) or (isinstance(choice, Some) and choice.count > LISTED):
        return f"spelled: {len(choice.of)} and an end"
    return str(choice.count)


def _lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    return (f"| {' | '.join(row)} |" for row in rows)


if __name__ == "__main__":
    sys.stdout.write(f"{tables()}\n")
