"""The browser that all of this needs: named, found, or a clear end; never a skip."""

from pathlib import Path

import pytest

from whodunit.bench import browser


def test_the_environment_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    named = tmp_path / "chrome"
    named.touch()
    monkeypatch.setenv("WHODUNIT_BROWSER", str(named))

    assert browser.find() == str(named)


def test_a_wrong_name_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WHODUNIT_BROWSER", str(tmp_path / "nowhere"))

    with pytest.raises(browser.NoBrowser, match="no such file"):
        browser.find()


def test_playwright_s_own_copy_will_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own = tmp_path / "chromium-1" / "chrome-linux" / "chrome"
    own.parent.mkdir(parents=True)
    own.touch()
    monkeypatch.delenv("WHODUNIT_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))

    assert browser.find() == str(own)


def test_without_any_the_end_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("WHODUNIT_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.setattr(browser, "_install", lambda: None)

    with pytest.raises(browser.NoBrowser, match="WHODUNIT_BROWSER"):
        browser.find()
