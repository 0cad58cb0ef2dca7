"""Single changes to a Python module: where they can be made, a fair draw of them, and the module with one made.

What no test could notice, or only by crashing, is left alone: imports, annotations, types, docstrings, decorators,
messages of errors, and asserts, which speak to the type checker.
"""

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import TypeAlias

from whodunit.bench.mutants.kinds import Place, gather, replacements

Path: TypeAlias = tuple[tuple[str, int | None], ...]
"""The way from the module to a node: the field of each node passed, and the place in it if it is a list."""


@dataclass(frozen=True)
class Change:
    """One possible change: its kind, where it is made, and the source text before and after."""

    kind: str
    path: Path
    line: int
    old: str
    new: str
    node: ast.AST
    """What is put in place."""


def changes(source: str) -> list[Change]:
    """List every change that can be made to the module, in the order of its lines."""
    tree = ast.parse(source)
    nodes = list(_walk(tree, ()))
    words = {node.value for _, node, _ in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    facts = gather(tree, sorted(words))
    found = [
        Change(kind, path, getattr(node, "lineno", 0), ast.unparse(node), ast.unparse(new), new)
        for path, node, place in nodes
        for kind, new in replacements(node, place, facts)
    ]
    return sorted(found, key=lambda change: change.line)


def changed(source: str, change: Change) -> str:
    """Return the module with this change made; comments and layout are lost."""
    tree = ast.parse(source)
    *way, (field, index) = change.path
    node: ast.AST = tree
    for step, place in way:
        inner = getattr(node, step)
        node = inner if place is None else inner[place]
    if index is None:
        setattr(node, field, deepcopy(change.node))
    else:
        getattr(node, field)[index] = deepcopy(change.node)
    return ast.unparse(ast.fix_missing_locations(tree))


def unchanged(source: str) -> str:
    """Return the module as `changed` would write it without the change."""
    return ast.unparse(ast.parse(source))


def drawn(count: int, found: int, seed: int) -> list[int]:
    """Draw so many different places below `found`, one from each of as many equal stretches."""
    random = Random(seed)  # noqa: S311  (a sample, no secret)
    count = max(1, min(count, found))
    cuts = [place * found // count for place in range(count)] + [found]
    return [random.randrange(start, end) for start, end in pairwise(cuts)]


def _walk(parent: ast.AST, path: Path) -> Iterator[tuple[Path, ast.AST, Place]]:
    """Yield every node that may be changed, with the way to it."""
    for field in _open(parent):
        value = getattr(parent, field)
        children = enumerate(value) if isinstance(value, list) else [(None, value)]
        for index, node in children:
            if isinstance(node, ast.AST) and not _is_left_alone(node, parent):
                way = (*path, (field, index))
                yield way, node, Place(parent, field)
                if not _is_audience(parent):
                    yield from _walk(node, way)


def _open(node: ast.AST) -> Sequence[str]:
    """Name the fields of the node in which something may be changed."""
    match node:
        case ast.FunctionDef():
            return ("args", "body")
        case ast.ClassDef():
            return ("body",)
        case ast.AnnAssign():
            return ("value",)
        case ast.arg() | ast.Raise() | ast.JoinedStr() | ast.Call(func=ast.Name(id="isinstance")):
            return ()
        case _:
            return node._fields


def _is_audience(node: ast.AST) -> bool:
    """Say whether this is a `known_to=...`, which is changed as a whole."""
    return isinstance(node, ast.keyword) and node.arg == "known_to"


def _is_left_alone(node: ast.AST, parent: ast.AST) -> bool:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Expr(value=ast.Constant() | ast.Call(func=ast.Name(id="assert_never"))):
            return True
        case ast.Call(func=ast.Name(id="TypeVar" | "NewType" | "cast")) | ast.keyword(arg="strict" | "maxsize"):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
        case ast.Assign(value=ast.BinOp(op=ast.BitOr()) | ast.Subscript()):
            return isinstance(parent, ast.Module)  # a union or a generic type with a name
        case _:
            return False
