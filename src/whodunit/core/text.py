"""Turns messages into sentences. Nothing else does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from whodunit.core.types import Message, Param, Term, Who


def say(message: Message, texts: Mapping[str, str], names: Sequence[str]) -> str:
    """Put a message into the words of a language; `names` are the players', by seat."""
    return texts[message.key].format_map({name: _said(param, texts, names) for name, param in message.params.items()})


@dataclass(frozen=True)
class _Terms:
    """Things of a game: `{card}` takes their names, `{card:the}` the forms that a sentence needs."""

    words: tuple[str, ...]
    texts: Mapping[str, str]

    def __format__(self, form: str) -> str:
        return ", ".join(self.texts[f"form.{form}.{word}" if form else f"term.{word}"] for word in self.words)


def _said(param: Param, texts: Mapping[str, str], names: Sequence[str]) -> str | _Terms:
    match param:
        case Who(seat=seat):
            return names[seat]
        case Term(word=word):
            return _Terms((word,), texts)
        case tuple():
            return _Terms(tuple(term.word for term in param), texts)
        case _:
            return str(param)
