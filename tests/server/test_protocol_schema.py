"""The schema and the TypeScript in the repository are what the structs make of them today."""

import ast
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from whodunit.core.frames import EventFrame
from whodunit.core.types import Message, Who
from whodunit.server import protocol, protocol_schema

WHOLE = protocol_schema.whole()
DEFINITIONS: dict[str, dict[str, Any]] = WHOLE["$defs"]


def references(node: Any) -> set[str]:
    match node:
        case dict():
            here = {node["$ref"]} if isinstance(node.get("$ref"), str) else set()
            return here.union(*map(references, node.values()))
        case list():
            return set().union(*map(references, node))
        case _:
            return set()


def stale(files: dict[Path, str]) -> list[str]:
    return [path.name for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]


def test_two_things_never_share_a_name_on_the_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "WIRE_NAMES", {**protocol.WIRE_NAMES, protocol.StepFrame: "Step"})
    with pytest.raises(ValueError, match="the same name on the wire: Step"):
        protocol_schema.whole()


def test_the_schema_is_fresh() -> None:
    assert stale(protocol_schema.documents()) == [], "run: .venv/bin/python -m whodunit.server.protocol_schema"


def test_the_typescript_is_fresh() -> None:
    assert stale(protocol_schema.scripts()) == [], "run: .venv/bin/python -m whodunit.server.protocol_schema"


def test_a_stale_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("{}", "utf-8")

    assert stale({tmp_path / "old.json": "[]", tmp_path / "none.json": ""}) == ["old.json", "none.json"]


def test_every_reference_leads_somewhere() -> None:
    assert references(WHOLE) == {f"#/$defs/{name}" for name in DEFINITIONS} & references(WHOLE)


def test_what_the_server_always_sends_is_required_and_what_a_page_may_leave_out_is_not() -> None:
    assert "outcome" in DEFINITIONS["Table"]["required"]
    assert "params" in DEFINITIONS["Message"]["required"]
    assert "options" in DEFINITIONS["clue.State"]["required"]
    assert "start" not in DEFINITIONS["CreateTable"]["required"]


@pytest.mark.parametrize("tell", protocol_schema.TOLD)
def test_the_encoder_leaves_no_field_out(tell: type[msgspec.Struct]) -> None:
    # "Required" is only true while no struct omits its defaults.
    assert not tell.__struct_config__.omit_defaults


def test_a_frame_has_just_the_fields_of_its_definition() -> None:
    told = EventFrame(seq=1, batch=1, at=0, event=None, line=Message("x", {"seat": Who(0)}))
    sent = msgspec.to_builtins(protocol.Digest(after=0, events=(told,), stood_in=()))

    assert set(sent) == set(DEFINITIONS["Digest"]["required"])
    assert set(sent["events"][0]) == set(DEFINITIONS["Told"]["required"])


def test_every_ask_and_tell_of_the_protocol_is_in_it() -> None:
    assert len(DEFINITIONS["AnyAsk"]["anyOf"]) == len(protocol_schema.ASKED)
    assert len(DEFINITIONS["AnyTell"]["anyOf"]) == len(protocol_schema.TOLD)
    sent = (*protocol_schema.ASKED, *protocol_schema.TOLD, *protocol_schema.ANSWERS)
    kinds = (*sent, *protocol_schema.POSTED, *protocol_schema.READ)
    assert all(protocol.WIRE_NAMES.get(kind, kind.__name__) in DEFINITIONS for kind in kinds)


@pytest.mark.parametrize(("kind", "name"), protocol.WIRE_NAMES.items(), ids=protocol.WIRE_NAMES.values())
def test_a_struct_with_a_name_of_its_own_here_keeps_its_old_one_on_the_wire(
    kind: type[msgspec.Struct], name: str
) -> None:
    tag, field = kind.__struct_config__.tag, kind.__struct_config__.tag_field or "type"

    assert DEFINITIONS[name]["title"] == name
    assert kind.__name__ not in DEFINITIONS
    assert tag in {None, re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()}
    assert DEFINITIONS[name]["properties"].get(field) == (None if tag is None else {"enum": [tag]})


def test_what_goes_over_the_wire_is_called_nothing_that_the_model_is_called() -> None:
    own = protocol_schema.ROOT / "src" / "whodunit"
    model = [file for part in ("core", "table", "room", "host", "bots", "server") for file in (own / part).glob("*.py")]
    names = {file: classes(file) for file in model}

    sent = names.pop(own / "server" / "protocol.py")
    assert {"RoomFrame", "Act"} < sent
    assert sent & set().union(*names.values()) == set()


def classes(file: Path) -> set[str]:
    """Return the names of a module's classes."""
    return {node.name for node in ast.parse(file.read_text("utf-8")).body if isinstance(node, ast.ClassDef)}
