"""The kinds of change that the mutation benchmark makes: what could stand in the place of a node of a syntax tree."""

import ast
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)

EVERYONE = "frozenset(range(-1, 12))"  # every viewer, TABLE included, of any game

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
SIMPLE = ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return | ast.Raise | ast.Continue | ast.Break
SYMMETRIC = {"min", "max", "isinstance"}  # swapping their arguments changes nothing, or only crashes
FIXED_KEYWORDS = {"known_to", "strict", "key", "default", "maxsize"}  # a value that fits no other keyword


@dataclass(frozen=True)
class Place:
    """Where a node stands: its parent and the field that holds it."""

    parent: ast.AST
    field: str


@dataclass
class Facts:
    """What must be known of the whole module to judge one node."""

    words: Sequence[str] = ()
    returned: set[ast.AST] = field(default_factory=set)
    """The lists and tuples that some function returns."""
    droppable: set[ast.AST] = field(default_factory=set)
    """The simple statements of functions that do something."""


def gather(tree: ast.AST, words: Sequence[str]) -> Facts:
    """Collect the facts of a module."""
    facts = Facts(words)
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None:
            facts.returned.update(_returned(node.value))
        if isinstance(node, ast.FunctionDef):
            facts.droppable.update(inner for inner in ast.walk(node) if isinstance(inner, SIMPLE))
            facts.droppable.difference_update(inner for inner in ast.walk(node) if _does_nothing(inner, node))
    return facts


def _returned(value: ast.expr) -> Iterator[ast.AST]:
    match value:
        case ast.List() | ast.Tuple():
            yield value
        case ast.IfExp(body=one, orelse=other) | ast.BinOp(left=one, right=other):
            yield from _returned(one)
            yield from _returned(other)
        case _:
            return


def _does_nothing(node: ast.AST, function: ast.FunctionDef) -> bool:
    match node:
        case ast.AnnAssign(value=None):
            return True
        case ast.Return(value=None | ast.Constant(value=None)):
            return node is function.body[-1]  # it would happen anyway
        case _:
            return False


def replacements(node: ast.AST, place: Place, facts: Facts) -> Iterator[tuple[str, ast.AST]]:
    """Yield what could stand in the node's place, each with its kind."""
    match place:
        case Place(parent=ast.keyword(arg="known_to")):
            yield from (("audience", new) for new in _audiences(node))
        case Place(parent=ast.If() | ast.IfExp(), field="test") | Place(parent=ast.comprehension(), field="ifs"):
            yield from (("condition", ast.Constant(forced)) for forced in (True, False) if not _is_constant(node))
        case Place(parent=ast.While(), field="test") if not _is_constant(node):
            yield "condition", ast.Constant(value=False)  # a loop forced to go on would only run into the time limit
        case Place(parent=ast.match_case(), field="guard"):
            yield "guard", ast.Constant(value=True)
        case _:
            pass
    if node in facts.returned and isinstance(node, ast.List | ast.Tuple):
        for dropped in range(len(node.elts)):
            yield "element", _with(node, elts=node.elts[:dropped] + node.elts[dropped + 1 :])
    if node in facts.droppable:
        yield "statement", ast.Pass()
    yield from _by_type(node, place, facts.words)


def _by_type(node: ast.AST, place: Place, words: Sequence[str]) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                yield "comparison", _with(node, ops=[*ops[:index], COMPARISONS[type(op)](), *ops[index + 1 :]])
        case ast.BoolOp(op=ast.And()):
            yield "and/or", _with(node, op=ast.Or())
        case ast.BoolOp(op=ast.Or()):
            yield "and/or", _with(node, op=ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", operand
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OPERATORS:
            yield "arithmetic", _with(node, op=OPERATORS[type(op)]())
        case ast.Constant(value=None) if isinstance(place.parent, ast.Compare):
            return  # `is None` is a comparison's business
        case ast.Constant(value=value) | ast.MatchSingleton(value=value):
            yield from (("constant", _with(node, value=other)) for other in _constants(value, words))
        case ast.Call(func=ast.Name(id=name)) if name in SYMMETRIC:
            return
        case ast.Call():
            yield from (("arguments", new) for new in _swapped(node))
        case _:
            return


def _constants(value: object, words: Sequence[str]) -> tuple[object, ...]:
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 1)
        case float():
            return (value + 1,)
        case str() if len(words) > 1:
            return (words[(words.index(value) + 1) % len(words)],)
        case None:
            return (0,)
        case _:
            return ()


def _swapped(call: ast.Call) -> Iterator[ast.Call]:
    for left, right in pairwise(range(len(call.args))):
        one, other = call.args[left], call.args[right]
        if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred) and not _same(one, other):
            yield _with(call, args=[*call.args[:left], other, one, *call.args[right + 1 :]])
    places = [index for index, keyword in enumerate(call.keywords) if keyword.arg not in {None, *FIXED_KEYWORDS}]
    for left, right in pairwise(places):
        keywords = list(call.keywords)
        one, other = keywords[left].value, keywords[right].value
        if not _same(one, other):
            keywords[left] = ast.keyword(keywords[left].arg, other)
            keywords[right] = ast.keyword(keywords[right].arg, one)
            yield _with(call, keywords=keywords)


def _audiences(value: ast.AST) -> Iterator[ast.AST]:
    yield ast.parse(EVERYONE, mode="eval").body
    match value:
        case ast.Call(func=ast.Name(id="frozenset"), args=[]):
            return
        case ast.Call(func=ast.Name(id="frozenset"), args=[ast.Set(elts=known)]) if len(known) > 1:
            for dropped in range(len(known)):
                yield _with(value, args=[ast.Set(known[:dropped] + known[dropped + 1 :])])
        case _:
            pass
    yield ast.parse("frozenset()", mode="eval").body


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant)


def _same(one: ast.AST, other: ast.AST) -> bool:
    return ast.dump(one) == ast.dump(other)


def _with(node: Node, **fields: object) -> Node:
    """Return the node with other fields; the tree itself is never touched."""
    new = copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new
