"""Labelled draws: unbiased, independent of each other, repeatable, stackable."""

import hmac
from collections import Counter
from itertools import islice
from math import factorial

import pytest

from whodunit.core.rng import Draw, Rng, StackedRng, Stream, below


def test_the_same_seed_seq_and_label_give_the_same_draw() -> None:
    assert Rng(b"seed", 4).below("die", 6) == Rng(b"seed", 4).below("die", 6)


def test_another_draw_never_shifts_a_draw() -> None:
    rng = Rng(b"seed", 4)
    rng.shuffled("deck", "abcdef")
    rng.below("coin", 2)

    assert rng.below("die", 1000) == Rng(b"seed", 4).below("die", 1000)


def test_seed_seq_and_label_each_change_the_stream() -> None:
    base = Rng(b"seed", 4).below("die", 2**60)

    assert base != Rng(b"seed", 5).below("die", 2**60)
    assert base != Rng(b"seed", 4).below("day", 2**60)
    assert base != Rng(b"need", 4).below("die", 2**60)


@pytest.mark.parametrize("size", [0, 8, 32, 63, 64, 65, 200])
def test_a_stream_is_the_hmac_of_seq_block_and_label_under_any_key(size: int) -> None:
    seed = bytes(range(size))
    blocks = [hmac.digest(seed, f"4|{block}|die".encode(), "sha256") for block in range(3)]
    words = [int.from_bytes(block[at : at + 8], "big") for block in blocks for at in range(0, 32, 8)]

    assert list(islice(Rng(seed, 4).words("die"), 12)) == words
    assert Rng(seed, 4).token("die") == blocks[0][:16].hex()


@pytest.mark.parametrize("bound", [3, 2**32 - 5, 2**32 + 1])
def test_just_the_words_that_favour_small_numbers_are_drawn_again(bound: int) -> None:
    fair = 2**64 - 2**64 % bound

    assert below(iter([fair - 1]), bound) == bound - 1
    assert below(iter([fair, 2**64 - 1, 7]), bound) == 7 % bound


def test_a_label_is_drawn_once_in_a_batch() -> None:
    rng = Rng(b"seed", 1)
    rng.below("die", 6)

    with pytest.raises(ValueError, match="'die' has been drawn already"):
        rng.below("die", 6)


def test_below_is_unbiased() -> None:
    counts = Counter(Rng(b"seed", seq).below("die", 6) for seq in range(6000))

    assert set(counts) == set(range(6))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # chi-square, 5 degrees, p = 0.001


def test_below_draws_again_what_would_favour_small_numbers() -> None:
    """Three quarters of 2**64: without drawing again the first third would come twice as often."""
    bound = 3 * 2**62
    low = sum(Rng(b"seed", seq).below("big", bound) < 2**62 for seq in range(3000))

    assert 900 < low < 1100
    first = [next(Rng(b"seed", seq).words("big")) for seq in range(3000)]
    assert any(word >= bound for word in first), "no draw had to be repeated: the test shows nothing"


@pytest.mark.parametrize("bound", [6, 2**32, 2**32 + 1, 2**63, 3 * 2**62, 2**64, 2**64 + 1])
def test_a_labelled_draw_is_the_first_of_its_stream(bound: int) -> None:
    """However wide it is: the short cut for draws of one word takes the same word, or none."""
    for seq in range(40):
        assert Rng(b"seed", seq).below("wide", bound) == below(Rng(b"seed", seq).words("wide"), bound)


def test_a_draw_may_need_more_than_one_word() -> None:
    bound = 3 << 64
    drawn = [below(Rng(b"seed", 1).words("wide"), bound), *(below(Rng(b"s", n).words("w"), bound) for n in range(50))]

    assert all(0 <= number < bound for number in drawn)
    assert len({number >> 64 for number in drawn}) == 3


@pytest.mark.parametrize("bound", [0, -1])
def test_a_range_that_cannot_be_drawn_from_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="cannot be drawn from"):
        Rng(b"seed", 1).below("die", bound)


def test_shuffled_gives_every_order_equally_often() -> None:
    counts = Counter(Rng(b"seed", seq).shuffled("deck", "abcd") for seq in range(2400))

    assert len(counts) == factorial(4)
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 49.7  # chi-square, 23 degrees, p = 0.001


def test_draws_are_recorded_and_can_be_recomputed() -> None:
    rng = Rng(b"seed", 9)
    die, deck, token = rng.below("die", 6), rng.shuffled("deck", "abc"), rng.token("clip")

    assert [draw.label for draw in rng.draws] == ["die", "deck", "clip"]
    assert rng.draws[0] == Draw("die", "below", 6, die)
    order = rng.draws[1].result
    assert isinstance(order, tuple)
    assert deck == tuple("abc"[index] for index in order)
    assert rng.draws[2].result == token
    assert len(token) == 32
    again = Rng(b"seed", 9)
    assert [again.result(draw.label, draw.kind, draw.range) for draw in rng.draws] == [d.result for d in rng.draws]


def test_an_unknown_kind_of_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind of draw: 'guess'"):
        Rng(b"seed", 1).result("die", "guess", 6)


def test_any_draw_can_be_stacked_by_its_label() -> None:
    rng = StackedRng(b"seed", 1, {"die": 5, "deck": (2, 0, 1)})

    assert rng.below("die", 6) == 5
    assert rng.shuffled("deck", "abc") == ("c", "a", "b")
    assert rng.below("other", 1000) == Rng(b"seed", 1).below("other", 1000)


@pytest.mark.parametrize("stacked", [6, -1, "3", (1, 2)])
def test_a_stacked_draw_must_be_one_that_could_come(stacked: int | str | tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="cannot give"):
        StackedRng(b"seed", 1, {"die": stacked}).below("die", 6)
    with pytest.raises(ValueError, match="cannot give"):
        StackedRng(b"seed", 1, {"deck": stacked}).shuffled("deck", "ab")


def test_a_stream_goes_on_beyond_what_it_takes_in_at_once() -> None:
    drawn = [Stream(seed).words("any") for seed in (b"seed", b"seed", b"another", b"see")]

    first, again, *others = [tuple(islice(words, 1000)) for words in drawn]

    assert again == first
    assert all(not set(first) & set(other) for other in others)
    assert len(set(first)) == 1000


def test_a_stream_never_repeats_itself_whatever_the_label() -> None:
    stream, again = Stream(b"seed"), Stream(b"seed")
    drawn = [stream.below("die", 2**60) for _ in range(5)] + [next(stream.words("worlds")) for _ in range(5)]
    drawn += [next(stream.words("worlds")) for _ in range(5)]

    assert len(set(drawn)) == 15
    assert [again.below("other", 2**60) for _ in range(5)] == drawn[:5]
    assert Counter(Stream(bytes([seed])).shuffled("deck", "abc") for seed in range(60)).keys() == {
        *map(tuple, ("abc", "acb", "bac", "bca", "cab", "cba"))
    }
    assert stream.token("id") != stream.token("id")
    assert [len(again.token("id")) for _ in range(2)] == [32, 32]
    assert stream.draws == []
