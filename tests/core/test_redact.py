"""An event as each viewer may see it, and what still stands after something was taken back."""

from typing import Annotated

from msgspec import Meta

from whodunit.core.redact import redact, secrets, standing
from whodunit.core.types import TABLE, Blob, Event, Secret, Undone
from whodunit.core.wire import detach, encode


class Shown(Event, frozen=True):
    by: int
    card: Secret[str]
    tricks: Secret[tuple[int, ...]] = None
    note: Annotated[str, Meta(description="not a secret")] = ""


class Passed(Event, frozen=True):
    by: int


class Heard(Event, frozen=True):
    clip: Blob


def test_secret_fields_are_found_by_their_declaration() -> None:
    assert set(secrets(Shown)) == {"card", "tricks"}
    assert secrets(Passed) == {}


def test_only_those_who_know_see_the_secret_fields() -> None:
    event = Shown(by=1, card="Rope", tricks=(1, 2), note="x", known_to=frozenset({0, 1}))

    assert redact(event, 0) is event
    assert redact(event, 1) is event
    for viewer in (2, TABLE):
        assert redact(event, viewer) == Shown(by=1, card=None, tricks=None, note="x", known_to=frozenset({0, 1}))


def test_by_default_nobody_knows() -> None:
    assert redact(Shown(by=1, card="Rope"), 1) == Shown(by=1, card=None)


def test_an_event_without_secrets_is_everybodys() -> None:
    event = Passed(by=2)

    assert redact(event, TABLE) is event


def test_what_was_taken_back_does_not_stand() -> None:
    one, two, three = Passed(by=1), Passed(by=2), Passed(by=3)

    assert standing([one, two, Undone(back_to=1), three]) == [one, three]
    assert standing([one, two, three, Undone(back_to=2), Undone(back_to=1), two]) == [one, two]


def test_bytes_travel_apart_from_their_event() -> None:
    event = Heard(clip=Blob("id1", "audio/ogg", b"\x00sound"))
    light, blobs = detach(event)

    assert light == Heard(clip=Blob("id1", "audio/ogg"))
    assert blobs == (Blob("id1", "audio/ogg", b"\x00sound"),)
    assert detach(Passed(by=1)) == (Passed(by=1), ())


def test_equal_values_give_equal_bytes() -> None:
    assert encode(Passed(by=1, known_to=frozenset({2, 10, 1}))) == b'{"type":"Passed","by":1,"known_to":[1,2,10]}'
