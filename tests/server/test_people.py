"""Who somebody is: cookies, codes and keys."""

import re
from pathlib import Path

import pytest

from whodunit.core.errors import BadOptions
from whodunit.server.people import (
    UNAMBIGUOUS,
    People,
    house_key,
    invitation,
    seat_key,
    table_id,
    typed_code,
)

# --- Cookies ---------------------------------------------------------------------------------------------------------


def test_a_cookie_names_its_person_and_no_two_are_alike() -> None:
    people = People(b"key")
    cookies = {people.new() for _ in range(50)}

    assert len({people.known(cookie) for cookie in cookies}) == 50
    assert all(people.known(cookie) == cookie.partition(".")[0] for cookie in cookies)


@pytest.mark.parametrize("forge", ["other", "cut", "swapped", "bare", "empty", "dot", "letters", "foreign", "no text"])
def test_a_forged_cookie_is_nobodys(forge: str) -> None:
    people = People(b"key")
    cookie, other = people.new(), people.new()
    person, _, signature = cookie.partition(".")
    forged = {
        "other": f"someone.{signature}",
        "cut": cookie[:-1],
        "swapped": f"{person}.{other.partition('.')[2]}",
        "bare": person,
        "empty": "",
        "dot": ".",
        "letters": f"{person}.{'ä' * 64}",
        "foreign": People(b"another key").new(),
        "no text": f"\udcff{person}.{signature}",
    }

    assert people.known(cookie) == person
    assert people.known(forged[forge]) is None
    assert people.known(None) is None


def test_the_house_keeps_its_key_and_shows_it_to_nobody(tmp_path: Path) -> None:
    key = house_key(tmp_path)

    assert len(key) == 32
    assert house_key(tmp_path) == key
    assert (tmp_path / "house.key").stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == ["house.key"]


@pytest.mark.parametrize("key", [b"", b"k" * 31])
def test_what_is_no_key_signs_nothing(tmp_path: Path, key: bytes) -> None:
    (tmp_path / "house.key").write_bytes(key)

    with pytest.raises(BadOptions, match=r"house\.key has \d+ bytes, a key has 32"):
        house_key(tmp_path)
    assert (tmp_path / "house.key").read_bytes() == key


def test_a_disk_that_takes_no_key_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, _: bytes) -> int:
        path.touch()
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space"):
            house_key(tmp_path)
    assert [*tmp_path.iterdir()] == []
    assert len(house_key(tmp_path)) == 32


def test_a_household_is_stored_under_a_name_that_only_the_house_can_make() -> None:
    people = People(b"key")

    assert people.of_household("203.0.113.7") == people.of_household("203.0.113.7")
    others = {people.of_household("203.0.113.8"), People(b"another").of_household("203.0.113.7")}
    assert people.of_household("203.0.113.7") not in others
    assert people.known(f"203.0.113.7.{people.of_household('203.0.113.7')}") is None


# --- Codes and keys --------------------------------------------------------------------------------------------------


def test_a_code_can_be_read_out_and_typed() -> None:
    codes = {invitation() for _ in range(200)}

    assert len(codes) == 200
    assert all(len(code) == 8 and set(code) <= set(UNAMBIGUOUS) for code in codes)
    assert not set("IL1O0") & set(UNAMBIGUOUS)
    for code in codes:
        assert typed_code(f" {code[:4].lower()}-{code[4:]} \n") == code


def test_ids_and_keys_are_too_many_to_be_guessed() -> None:
    assert len({seat_key() for _ in range(200)} | {table_id() for _ in range(200)}) == 400
    assert all(len(seat_key()) >= 22 for _ in range(20))
    assert all(re.fullmatch("[a-z0-9]{10}", table_id()) for _ in range(20))
