"""The tower's measures and the levels of difficulty: tables, no code."""

from typing import Literal, TypeAlias

Difficulty: TypeAlias = Literal["clear", "normal", "hard"]
"""How much the sound of a drop tells."""
