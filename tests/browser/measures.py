"""What can be measured on any page: width, targets, text that is cut, and what axe finds."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

ROOT: Final = Path(__file__).resolve().parents[2]
AXE: Final = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
TARGET: Final = 44
TWICE: Final = "() => document.documentElement.style.setProperty('font-size', '32px')"
"""Letters of twice the size, for as long as the page is open."""
SPEAK: Final = """(language) => {
    Object.defineProperty(navigator, 'languages', { value: [language], configurable: true })
    dispatchEvent(new Event('languagechange'))
}"""
"""What a browser does whose user wants another language."""
SPEAKS: Final = "(language) => document.documentElement.lang === language"
AT_ONCE: Final = """() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, *::before, *::after { transition-property: none !important }')
    document.adoptedStyleSheets.push(sheet)
}"""
"""Colours change at once: what is out of sight would keep its old ones until somebody scrolls there."""


class Page(Protocol):
    """A page in any browser, however it is driven."""

    def evaluate(self, expression: str, arg: Any = None) -> Any: ...


def sideways(page: Page) -> str:
    """Say what makes the page scroll sideways, or nothing."""
    found: str = page.evaluate(
        """() => {
            const root = document.documentElement
            if (root.scrollWidth <= root.clientWidth) return ''
            const wide = [...document.querySelectorAll('body *')].filter((node) =>
                node.getBoundingClientRect().right > root.clientWidth + 1 && !node.closest('figure, .scroll'))
            return `${root.scrollWidth} > ${root.clientWidth}: ` +
                wide.slice(0, 3).map((node) => `${node.tagName}.${node.className}`).join(', ')
        }"""
    )
    return found


def moving(page: Page) -> list[str]:
    """List what moves at this moment."""
    found: list[str] = page.evaluate(
        """() => document.getAnimations().filter(({ effect }) => {
            const MOVES = ['transform', 'translate', 'rotate', 'scale', 'offsetDistance', 'left', 'top']
            const moves = effect.getKeyframes().some((frame) => MOVES.some((what) => what in frame))
            return moves && effect.getComputedTiming().duration > 1
        }).map(({ effect: { target } }) => `${target.tagName}.${target.className?.baseVal ?? target.className}`)"""
    )
    return found


SHOWN: Final = """(what) => {
    window.shown = 0
    new MutationObserver(() => (window.shown += document.querySelectorAll(what).length)).observe(document, {
        childList: true, subtree: true })
}"""
"""Notes whether something was there, be it for a moment."""


def small_targets(page: Page, least: int = TARGET) -> list[str]:
    """List what is too small for a finger.

    Lit squares have twins in a list, cells of the notes are a grid, and the log's lines are text: 24 px are enough.
    """
    found: list[str] = page.evaluate(
        """(least) => [...document.querySelectorAll('button, a[href], input, select, textarea, summary')]
            .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
            .filter((node) => !node.closest('[data-arrows], [role="grid"], [inert]'))
            .map((node) => [node, (node.type === 'radio' || node.type === 'checkbox') && node.closest('label') || node])
            .map(([node, target]) => [node, target.getBoundingClientRect()])
            .map(([node, box]) => [node, box, node.closest('section.log li') ? 24 : least])
            .filter(([, box, least]) => box.width > 0 && Math.min(box.height, box.width) < least - 0.5)
            // A link inside a sentence is as high as the sentence (WCAG 2.5.8: inline).
            .filter(([node]) => !(node.tagName === 'A' && getComputedStyle(node).display === 'inline'))
            .map(([node, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${node.tagName} ` +
                (node.getAttribute('aria-label') ?? node.textContent.trim().slice(0, 30) ?? ''))""",
        least,
    )
    return found


def small_letters(page: Page) -> list[str]:
    """List words under 12 px, the smallest type anywhere; a letter on a piece is part of its picture."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('body *')]
            .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
            .filter((node) => !node.closest('.unseen, svg, [data-live]') && node.getBoundingClientRect().width > 1)
            .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3
                && child.textContent.trim().length > 1))
            .filter((node) => parseFloat(getComputedStyle(node).fontSize) < 11.95)
            .map((node) => `${getComputedStyle(node).fontSize}: ${node.textContent.trim().slice(0, 30)}`)"""
    )
    return found


def cut_texts(page: Page) -> list[str]:
    """List elements whose own text does not fit into them and is not shown otherwise."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll('body *')]
            .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
            .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
            .filter((node) => !node.closest('.unseen, svg, select, [data-live]') && node.clientWidth > 1)
            // A name may be as long as somebody likes; in the strip of players it ends in dots.
            .filter((node) => !(node.closest('section.players') && getComputedStyle(node).textOverflow === 'ellipsis'))
            .filter((node) => {
                const style = getComputedStyle(node)
                const hides = (value) => value === 'hidden' || value === 'clip'
                return (hides(style.overflowX) && node.scrollWidth > node.clientWidth + 1) ||
                    (hides(style.overflowY) && node.scrollHeight > node.clientHeight + 2)
            })
            .map((node) => `${node.tagName}.${node.className}: ${node.textContent.trim().slice(0, 40)}`)"""
    )
    return found


def overlaps(page: Page) -> list[str]:
    """List buttons that lie over each other's words."""
    found: list[str] = page.evaluate(
        """() => {
            const clipped = (node) => { for (let at = node; at; at = at.parentElement)
                if (getComputedStyle(at).clipPath === 'inset(50%)') return true
                return false }
            const shown = [...document.querySelectorAll('button, a[href], select, input, h1, h2')]
                .filter((node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
                .filter((node) => !node.closest('[data-arrows], [role="grid"], .unseen, figure, section.log li'))
                .filter((node) => node.offsetParent && !clipped(node))
            // A heading is as wide as its place; its words are what must not be covered.
            const box = (node) => {
                if (!node.matches('h1, h2')) return node.getBoundingClientRect()
                const range = document.createRange()
                range.selectNodeContents(node)
                return range.getBoundingClientRect()
            }
            const modal = document.querySelector('dialog[open]')
            const boxes = shown.filter((node) => !modal || modal.contains(node))
                .map((node) => [node, box(node)])
                .filter(([, box]) => box.width > 1 && box.height > 1)
            const found = []
            for (const [i, [one, a]] of boxes.entries()) for (const [other, b] of boxes.slice(i + 1)) {
                if (one.contains(other) || other.contains(one)) continue
                // What scrolls under a bar that stays is no overlap.
                const fixed = (node) => { for (let at = node; at; at = at.parentElement)
                    if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return true
                    return false }
                if (fixed(one) !== fixed(other)) continue
                const scrolls = (node) => { for (let at = node.parentElement; at; at = at.parentElement)
                    if (['auto', 'scroll'].includes(getComputedStyle(at).overflowY)) return at
                    return null }
                if (scrolls(one) !== scrolls(other)) continue
                const x = Math.min(a.right, b.right) - Math.max(a.left, b.left)
                const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
                const words = (node) => node.textContent.trim().slice(0, 25)
                if (x > 2 && y > 2) found.push(`${words(one)} / ${words(other)}`)
            }
            return found
        }"""
    )
    return found


@cache
def _axe() -> str:
    if not AXE.exists():
        raise FileNotFoundError(f"{AXE} is missing: build the pages first (./run does)")
    return AXE.read_text("utf-8")


_SETTLED_AXE: Final = """async (options) => {
    // A colour that is on its way to another is nobody's choice; when a thing's has come, those within it set out.
    const changes = () => document.getAnimations().filter((one) => one instanceof CSSTransition)
    for (let depth = 0; depth < 20 && changes().length; depth++)
        await Promise.allSettled(changes().map(({ finished }) => finished))
    return await axe.run(document, options)
}"""


def axe(page: Page, *rules: str) -> list[str]:
    """Return what axe finds, by all rules or by these; evaluated, as the page's policy admits no foreign script."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe())
    # Only a rule that is on trial reads style sheets, for which they would be loaded once more.
    options = {"resultTypes": ["violations"], "preload": False, **({"runOnly": rules} if rules else {})}
    result: dict[str, Any] = page.evaluate(_SETTLED_AXE, options)
    return [
        f"{violation['id']}: {json.dumps(node['target'])} {node['failureSummary'].splitlines()[-1].strip()}"
        for violation in result["violations"]
        for node in violation["nodes"]
    ]
