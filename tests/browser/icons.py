"""The icons of the installed site, drawn from its sign:  python -m tests.browser.icons"""

from pathlib import Path
from typing import Final, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from whodunit.bench import browser as real

PUBLIC: Final = Path(__file__).resolve().parents[2] / "web" / "public"
CORNERS: Final = ' rx="7"'


class Icon(NamedTuple):
    """A picture of the sign; one that devices cut to their own shape fills its square, with the sign smaller in it."""

    size: int
    sign: float | None = None


ICONS: Final = {
    "icon-180.png": Icon(180, sign=0.9),
    "icon-192.png": Icon(192),
    "icon-512.png": Icon(512),
    "icon-maskable-512.png": Icon(512, sign=0.75),
}


def drawing(icon: Icon) -> str:
    """Return the sign as this icon shows it."""
    svg = (PUBLIC / "favicon.svg").read_text("utf-8")
    assert CORNERS in svg
    if icon.sign is None:
        return svg
    ground, _, sign = svg.replace(CORNERS, "").partition("/>")
    smaller = f'/><g transform="translate(16 16) scale({icon.sign}) translate(-16 -16)">'
    return ground + smaller + sign.replace("</svg>", "</g></svg>")


def drawn(browser: Browser, icon: Icon) -> bytes:
    """Return the icon as PNG."""
    page = browser.new_page(viewport={"width": icon.size, "height": icon.size})
    try:
        page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{drawing(icon)}")
        return page.screenshot(omit_background=True)
    finally:
        page.close()


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=real.find(), args=list(real.FLAGS))
        for name, icon in ICONS.items():
            (PUBLIC / name).write_bytes(drawn(browser, icon))
        browser.close()


if __name__ == "__main__":
    main()
