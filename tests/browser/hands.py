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
        pressed = 0
        while pressed < FARTHEST:
            far: int = target.evaluate(_FAR)
            if far == 0:
                self.look()
                return
            # Not quite as far as it seems, so as not to run past it; the last stops one by one.
            steps = max(1, abs(far) - 2)
            for _ in range(steps):
                self.page.keyboard.press("Tab" if far > 0 else "Shift+Tab")
            pressed += steps
        raise AssertionError(f"Tab never reaches {target}")

    def look(self) -> None:
        """Note if the focus is nowhere, cannot be seen, or lies under something else."""
        if fault := self.page.evaluate(_SEEN):
            self.faults.append(fault)


_FAR: Final = """(target) => {
    const at = document.activeElement ?? document.body
    if (at === target) return 0
    const stops = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'
    const found = [...document.querySelectorAll(stops)].filter((node) => node.tabIndex >= 0 && node.checkVisibility())
    const behind = at.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING
    const [one, other] = behind ? [target, at] : [at, target]
    const FOLLOWING = Node.DOCUMENT_POSITION_FOLLOWING
    const between = found.filter((node) => one.compareDocumentPosition(node) & FOLLOWING
        && node.compareDocumentPosition(other) & FOLLOWING)
    return (between.length + 1) * (behind ? -1 : 1)
}"""
"""How many stops it is to the target, more or less; less than nothing if it lies behind."""

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
