"""How somebody works a page: with a mouse, a finger, or keys alone."""

from typing import Final, Protocol

from playwright.sync_api import Locator, Page, expect

FARTHEST: Final = 120
"""More presses of Tab than any of our pages has stops."""


class Hands(Protocol):
    def press(self, target: Locator) -> None:
        """Press a button, in the way these hands do."""


class Mouse:
    def press(self, target: Locator) -> None:
        target.click()


class Finger:
    def press(self, target: Locator) -> None:
        target.tap()


class Keys:
    """Goes to everything by Tab, and looks on the way whether one can see where one is."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []

    def press(self, target: Locator) -> None:
        self.reach(target)
        self.page.keyboard.press("Enter")

    def reach(self, target: Locator) -> None:
        """Walk to an element by Tab alone."""
        expect(target).to_be_visible()
        for _ in range(FARTHEST):
            where = target.evaluate(_WHERE)
            if where == "here":
                self.look()
                return
            self.page.keyboard.press("Tab" if where == "ahead" else "Shift+Tab")
        raise AssertionError(f"Tab never reaches {target}")

    def look(self) -> None:
        """Note if the focus is nowhere, cannot be seen, or lies under something else."""
        if fault := self.page.evaluate(_SEEN):
            self.faults.append(fault)


_WHERE: Final = """(target) => {
    const at = document.activeElement ?? document.body
    if (at === target) return 'here'
    return at.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING ? 'behind' : 'ahead'
}"""

_SEEN: Final = """() => {
    const at = document.activeElement
    if (!at || at === document.body) return 'the focus fell to the body'
    const name = at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 40)
    const style = getComputedStyle(at)
    if (!at.matches(':focus-visible')) return `${name}: has the focus without showing it`
    if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) return `${name}: no ring`
    const box = at.getBoundingClientRect()
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 20)]
    const top = document.elementFromPoint(x, y)
    if (!top || !(at === top || at.contains(top) || top.contains(at) || top.closest('label')?.contains(at)))
        return `${name}: lies under ${top?.className || top?.tagName || 'the edge'}`
    return ''
}"""
