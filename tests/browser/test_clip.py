"""The noise of a drop, as a browser decodes it."""

from base64 import b64encode

import numpy as np
from playwright.sync_api import Browser

from whodunit.core.rng import Rng
from whodunit.tower import CLIP, Tower, flac, model

DECODE = """async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const heard = await new OfflineAudioContext(2, 48000, 24000).decodeAudioData(bytes.buffer);
    const tenths = (ear) => [...heard.getChannelData(ear)].filter((_, place) => place % 10 === 0);
    return [heard.length, [0, 1].map(tenths)];
}"""


def test_a_real_browser_hears_a_clip_as_it_was_made(browser: Browser) -> None:
    drop = model("physics").drop(Tower(), 0, 0, Rng(b"browser", 0))
    context = browser.new_context()
    page = context.new_page()

    length, tenths = page.evaluate(DECODE, b64encode(drop.sound).decode())
    playable = page.evaluate("(media) => new Audio().canPlayType(media)", CLIP)
    context.close()

    assert playable in {"probably", "maybe"}
    assert length == 48_000
    assert np.abs(np.array(tenths).T - flac.decode(drop.sound)[::10]).max() < 1 / 30_000
