"""The tower as MuJoCo reads it: boxes open at the bottom, a square hole in each lid, standing on a table."""

from typing import Final

from whodunit.tower import facts

# What a geometry is, for the ear: plate and wall of box k, the table, a cube.
PLATE: Final = 0
WALL: Final = 10
TABLE: Final = 20
CUBE: Final = 30

_HEAD: Final = f"""<mujoco>
<option timestep="{facts.TIME_STEP}" integrator="Euler" cone="elliptic" solver="Newton" iterations="20"
 sleep_tolerance="0.01"><flag sleep="enable"/></option>
<default><geom type="box" condim="3" friction="{facts.FRICTION} 0.005 0.0001" density="{facts.DENSITY}"
 solref="0.002 {facts.DAMPING}" solimp="0.9 0.95 0.0005"/></default>
<worldbody>
<geom size="0.15 0.15 0.01" pos="0 0 -0.01"/>
"""


def xml(cubes: int) -> str:
    """Describe the tower with so many cubes in it; where they are is set later."""
    half = facts.CUBE / 2
    bodies = "".join(
        f'<body pos="0 0 {0.3 + 0.02 * cube:.3f}"><freejoint/><geom size="{half} {half} {half}"/></body>\n'
        for cube in range(cubes)
    )
    return f"{_HEAD}{''.join(map(_box, range(len(facts.WIDTHS))))}{bodies}</worldbody></mujoco>"


def codes(cubes: int) -> list[int]:
    """Return what each geometry is, in MuJoCo's order."""
    boxes = [code for box in range(len(facts.WIDTHS)) for code in [PLATE + box] * 4 + [WALL + box] * 4]
    return [TABLE, *boxes, *[CUBE] * cubes]


def _box(box: int) -> str:
    """Draw the four boards of the lid round its hole, then the four walls."""
    inner, outer = facts.WIDTHS[box] / 2, facts.WIDTHS[box] / 2 + facts.WALL
    x, y = facts.HOLES[box]
    left, right, near, far = (x - facts.HOLE / 2, x + facts.HOLE / 2, y - facts.HOLE / 2, y + facts.HOLE / 2)
    top = (box + 1) * facts.STOREY
    lid = (top - facts.LID, top)
    standing = (box * facts.STOREY, top - facts.LID)
    boards = [
        ((-outer, left), (-outer, outer), lid),
        ((right, outer), (-outer, outer), lid),
        ((left, right), (-outer, near), lid),
        ((left, right), (far, outer), lid),
        ((-outer, -inner), (-outer, outer), standing),
        ((inner, outer), (-outer, outer), standing),
        ((-inner, inner), (-outer, -inner), standing),
        ((-inner, inner), (inner, outer), standing),
    ]
    return f"<body>{''.join(_board(*board) for board in boards)}</body>\n"


def _board(*spans: tuple[float, float]) -> str:
    size = " ".join(f"{(end - start) / 2:.5f}" for start, end in spans)
    middle = " ".join(f"{(end + start) / 2:.5f}" for start, end in spans)
    return f'<geom size="{size}" pos="{middle}"/>'
