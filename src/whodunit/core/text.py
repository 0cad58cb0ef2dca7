"""Messages put into words: the only place where a sentence comes into being."""

from collections.abc import Mapping, Sequence

from whodunit.core.types import Message, Param, Term, Who


def say(message: Message, texts: Mapping[str, str], names: Sequence[str]) -> str:
    """Put a message into the words of a language; `names` are the players', by seat."""
    return texts[message.key].format_map({name: _said(param, texts, names) for name, param in message.params.items()})


def _said(param: Param, texts: Mapping[str, str], names: Sequence[str]) -> str:
    match param:
        case Who(seat=seat):
            return names[seat]
        case Term(word=word):
            return texts[f"term.{word}"]
        case tuple():
            return ", ".join(texts[f"term.{term.word}"] for term in param)
        case _:
            return str(param)
