"""How a message becomes a sentence."""

import pytest

from whodunit.core.text import say
from whodunit.core.types import Message, Term, Who

TEXTS = {
    "entered": "{seat} geht {room:into}.",
    "named": "{seat}: {rooms}. {rooms:into}. {count}",
    "term.Hall": "Halle",
    "term.Study": "Arbeitszimmer",
    "form.into.Hall": "in die Halle",
    "form.into.Study": "ins Arbeitszimmer",
}


def test_a_gap_may_ask_for_a_form_of_a_thing() -> None:
    assert say(Message("entered", {"seat": Who(1), "room": Term("Hall")}), TEXTS, ["Ada", "Benno"]) == (
        "Benno geht in die Halle."
    )


def test_several_things_are_listed_in_the_same_form() -> None:
    rooms = (Term("Hall"), Term("Study"))

    assert say(Message("named", {"seat": Who(0), "rooms": rooms, "count": 2}), TEXTS, ["Ada"]) == (
        "Ada: Halle, Arbeitszimmer. in die Halle, ins Arbeitszimmer. 2"
    )


def test_things_with_a_comma_in_their_names_are_parted_by_semicolons() -> None:
    texts = {"dealt": "{cards}.", "term.Bar-3": "Bar, 3 Uhr", "term.Bar-6": "Bar, 6 Uhr"}

    assert say(Message("dealt", {"cards": (Term("Bar-3"), Term("Bar-6"))}), texts, []) == "Bar, 3 Uhr; Bar, 6 Uhr."


def test_a_form_that_a_thing_lacks_is_a_fault() -> None:
    with pytest.raises(KeyError, match=r"form\.the\.Hall"):
        say(Message("the", {"room": Term("Hall")}), TEXTS | {"the": "{room:the}"}, [])


def test_what_the_name_of_an_action_has_no_place_for_is_listed_behind_it() -> None:
    texts = TEXTS | {"action.Look": "Look", "action.Go": "Go {room:into}"}
    rooms = (Term("Hall"), Term("Study"))

    assert say(Message("action.Look"), texts, []) == "Look"
    assert say(Message("action.Look", {"at": rooms, "with": Who(0), "times": 2}), texts, ["Ada"]) == (
        "Look: Halle, Arbeitszimmer; Ada; 2"
    )
    assert say(Message("action.Go", {"room": Term("Hall"), "how": Term("quickly")}), texts, []) == (
        "Go in die Halle: quickly"
    )


def test_of_other_sentences_nothing_is_listed() -> None:
    assert say(Message("entered", {"seat": Who(0), "room": Term("Hall"), "count": 2}), TEXTS, ["Ada"]) == (
        "Ada geht in die Halle."
    )
