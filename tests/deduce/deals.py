"""Small positions of every shape that the games have, each made from a true deal, and the count by hand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import lcm
from random import Random

from whodunit.deduce import Evidence, HandEvidence, Position, count, has, lacks, not_all, shows, some
from whodunit.deduce.engine import Engine

Item = Evidence[str, str] | HandEvidence[str, str]
Hand = tuple[str, ...]


@dataclass
class Case:
    """One position: what is dealt to whom, the rules, and what was seen."""

    elements: list[str]
    holders: dict[str, int]
    rules: list[Item] = field(default_factory=list)
    seen: list[Item] = field(default_factory=list)

    def position(self, engine: Engine) -> Position[str, str]:
        return Position(self.elements, self.holders, self.rules, engine).learn(*self.seen)

    def deal(self, random: Random) -> dict[str, Hand]:
        """Deal so that the rules are kept."""
        while True:
            cards = random.sample(self.elements, len(self.elements))
            hands = {holder: tuple(cards.pop() for _ in range(size)) for holder, size in self.holders.items()}
            if all(likelihood(item, hands[item.holder]) for item in self.rules):
                return hands


def likelihood(item: Item, hand: Sequence[str]) -> Fraction:
    """Read the evidence as its definition says."""
    if isinstance(item, HandEvidence):
        return Fraction(item.weigh(tuple(sorted(hand))))
    held = sum(element in hand for element in item.elements)
    if item.given is not None and item.given not in hand:
        return Fraction(item.otherwise[held])
    return Fraction(item.weights[held])


@dataclass
class Enumerated:
    """Every world that fits, with its weight: hands in the order of the holders, each sorted; weights times scale."""

    worlds: dict[tuple[Hand, ...], int]
    scale: int


def enumerated(case: Case) -> Enumerated:
    """Deal in every way, and weigh what comes out by definition."""
    bits = {element: 1 << place for place, element in enumerate(case.elements)}
    options: list[list[tuple[int, Hand, int]]] = []
    scale = 1
    for holder, size in case.holders.items():
        items = [item for item in (*case.rules, *case.seen) if item.holder == holder]
        weights = {
            hand: weight for hand in combinations(sorted(case.elements), size) if (weight := _weight(items, hand))
        }
        unit = lcm(*(weight.denominator for weight in weights.values()))
        options.append(
            [(sum(bits[card] for card in hand), hand, int(weight * unit)) for hand, weight in weights.items()]
        )
        scale *= unit
    places = sorted(range(len(options)), key=lambda place: len(options[place]))
    worlds: dict[tuple[Hand, ...], int] = {}
    hands: list[Hand] = [()] * len(options)

    def deal(step: int, used: int, weight: int) -> None:
        if step == len(places):
            worlds[tuple(hands)] = weight
            return
        place = places[step]
        for mask, hand, more in options[place]:
            if not mask & used:
                hands[place] = hand
                deal(step + 1, used | mask, weight * more)

    deal(0, 0, 1)
    return Enumerated(worlds, scale)


def _weight(items: Sequence[Item], hand: Hand) -> Fraction:
    weight = Fraction(1)
    for item in items:
        if likely := likelihood(item, hand):
            weight *= likely
        else:
            return Fraction(0)
    return weight


Show = Callable[[str, str, Sequence[str], object], Evidence[str, str]]


def surely(holder: str, card: str, among: Sequence[str], source: object) -> Evidence[str, str]:
    """Read a card that was shown as no more than that it is there."""
    assert card in among
    return has(holder, [card], source)


def clue(random: Random, show: Show = surely) -> Case:
    """Clue with few cards."""
    kinds = [[f"{kind}{number}" for number in range(random.randint(2, 4))] for kind in "abc"]
    return suggestions(random, kinds, random.randint(2, 3), random.randint(0, 7), show)


def whole_clue(random: Random, show: Show = surely) -> Case:
    """Clue with all 21 cards, two to six players."""
    kinds = [[f"{kind}{number}" for number in range(size)] for kind, size in (("a", 6), ("b", 6), ("c", 9))]
    return suggestions(random, kinds, random.randint(2, 6), random.choice([0, 4, 8, 14, 20]), show)


def suggestions(random: Random, kinds: list[list[str]], seats: int, turns: int, show: Show) -> Case:
    """Suggestions go round until somebody shows; seen from a seat or from outside; somebody may accuse in vain."""
    players = [f"p{number}" for number in range(seats)]
    cards = [card for kind in kinds for card in kind]
    sizes = {player: len(range(place, len(cards) - 3, seats)) for place, player in enumerate(players)}
    case = Case(cards, {**sizes, "solution": 3}, [count("solution", kind, 1, None) for kind in kinds])
    hands = case.deal(random)
    me = random.choice([None, *players])
    if me:
        case.seen.append(has(me, hands[me], "hand"))
    for turn in range(turns):
        asker = turn % seats
        trio = [random.choice(kind) for kind in kinds]
        for step in range(1, seats):
            other = players[(asker + step) % seats]
            source = f"{turn}.{step}"
            held = [card for card in trio if card in hands[other]]
            if not held:
                case.seen.append(lacks(other, trio, source))
                continue
            if me == players[asker]:
                case.seen.append(show(other, random.choice(held), trio, source))
            elif me != other:
                case.seen.append(some(other, trio, source))
            break
    if random.random() < 0.3:
        trio = [random.choice(kind) for kind in kinds]
        if set(trio) != set(hands["solution"]):
            case.seen.append(not_all("solution", trio, "accusation"))
    return case


def weighted_shows(random: Random) -> Case:
    """As in Clue, where whoever could choose is taken to have chosen evenly."""
    return clue(random, shows)


def _alibi(random: Random, times: int, places: int) -> tuple[Case, list[list[str]], list[str]]:
    cards = [f"{time}{place}" for time in range(times) for place in "abcd"[:places]]
    size = random.choice([2, 3]) if len(cards) > 6 else 2
    players = [f"p{number}" for number in range((len(cards) - 1) // size)]
    holders = dict.fromkeys(players, size) | {"solution": 1}
    if rest := len(cards) - sum(holders.values()):
        holders["open"] = rest
    rows = [[card for card in cards if card[0] == str(time)] for time in range(times)]
    columns = [[card for card in cards if card[1] == place] for place in "abcd"[:places]]
    return Case(cards, holders), rows + columns, players


def counts(random: Random) -> Case:
    """Each answer is a number: how many cards of these rows or columns somebody holds."""
    case, lines, players = _alibi(random, *random.choice([(3, 3), (2, 4), (2, 3)]))
    hands = case.deal(random)
    me = random.choice([None, *players])
    if me:
        case.seen.append(has(me, hands[me], "hand"))
    if "open" in hands:
        case.seen.append(has("open", hands["open"], "open"))
    for turn in range(random.randint(0, 6)):
        other = random.choice(players)
        asked = sorted(set(random.choice(lines)) | set(random.choice(lines) if random.random() < 0.4 else ()))
        number = sum(card in asked for card in hands[other])
        if random.random() < 0.2:  # overheard: at least two
            at_least = tuple(int(n >= 2) for n in range(len(asked) + 1))
            if number >= 2:
                case.seen.append(Evidence(other, tuple(asked), at_least, turn))
        else:
            case.seen.append(count(other, asked, number, turn))
    return case


def lies(random: Random) -> Case:
    """Whoever holds the asker's chip answers one too many or one too few; the chips are dealt like cards."""
    case, lines, players = _alibi(random, *random.choice([(2, 4), (2, 3)]))
    chips = [f"chip{number}" for number in range(len(players) + random.randint(0, 1))]
    case.elements += chips
    for player in players:
        case.holders[player] += 1
        case.rules.append(count(player, chips, 1, None))
    case.rules.append(lacks("solution", chips, None))
    if len(chips) > len(players):
        case.holders["box"] = 1
        case.rules.append(has("box", chips[-1:], None) if "open" in case.holders else count("box", chips, 1, None))
    if "open" in case.holders:
        case.rules.append(lacks("open", chips, None))
    hands = case.deal(random)
    me = random.choice(players)
    case.seen.append(has(me, hands[me], "hand"))
    for turn in range(random.randint(0, 6)):
        other = random.choice([player for player in players if player != me])
        asked, chip = random.choice(lines), random.choice(chips)
        number = sum(card in asked for card in hands[other])
        most = min(len(asked), case.holders[other] - 1)
        table = [[Fraction(0)] * (len(asked) + 1) for _ in range(most + 1)]  # by answer, by true number
        for true in range(most + 1):
            answers = [answer for answer in (true - 1, true + 1) if 0 <= answer <= most]
            for answer in answers:
                table[answer][true] = Fraction(1, len(answers))
        if chip in hands[other]:
            number = random.choice([answer for answer in range(most + 1) if table[answer][number]])
        honest = tuple(int(n == number) for n in range(len(asked) + 1))
        case.seen.append(Evidence(other, tuple(asked), tuple(table[number]), turn, given=chip, otherwise=honest))
    return case


def voids(random: Random) -> Case:
    """Players with different hands cannot follow a suit; two have exchanged cards, so each has what it kept and got."""
    cards = ["11", "12", "13", "21", "22", "31", "32"][: random.choice([6, 6, 7])]
    holders = {"a kept": 1, "a to b": 1, "b kept": 1, "b to a": 1, "c": len(cards) - 5, "solution": 1}
    case = Case(cards, holders)
    hands = case.deal(random)
    before = {"a": ("a kept", "a to b"), "b": ("b kept", "b to a"), "c": ("c",)}
    after = {"a": ("a kept", "b to a"), "b": ("b kept", "a to b"), "c": ("c",)}
    for turn in range(random.randint(0, 5)):
        moment = random.choice([before, after])
        slots = moment[random.choice("abc")]
        floor = random.choice("123")
        suit = [card for card in cards if card[0] == floor]
        if not any(card in suit for slot in slots for card in hands[slot]):
            case.seen += [lacks(slot, suit, turn) for slot in slots]
    slot = random.choice(sorted(holders))
    case.seen.append(has(slot, random.sample(hands[slot], random.randint(0, len(hands[slot]))), "looked"))
    return case


def whole_hands(random: Random) -> Case:
    """As in Clue, and somebody's hand is known by a property that no table by numbers can express."""
    case = clue(random)
    hands = case.deal(random)
    for turn in range(random.randint(1, 2)):
        holder = random.choice(sorted(case.holders))
        modulus, factors = random.randint(2, 4), {card: random.randint(0, 5) for card in case.elements}

        def score(hand: Hand, modulus: int = modulus, factors: dict[str, int] = factors) -> int:
            return sum(factors[card] * factors[card] + factors[card] for card in hand) // 2 % modulus

        likely = random.choice([1, 3])
        true = score(tuple(sorted(hands[holder])))
        weigh = lambda hand, score=score, true=true, likely=likely: likely * (score(hand) == true) + likely // 2  # noqa: E731
        case.seen.append(HandEvidence(holder, weigh, f"judged {turn}"))
    return case


def anything(random: Random) -> Case:
    """Any tables on any elements, contradictory as often as not."""
    holders = {f"h{number}": random.randint(0, 3) for number in range(random.randint(1, 4))}
    cards = [f"c{number}" for number in range(sum(holders.values()))]
    case = Case(cards, holders)
    for number in range(random.randint(0, 7) if cards else 0):
        chosen = random.sample(cards, random.randint(0, min(4, len(cards))))
        given = chosen.pop() if chosen and random.random() < 0.3 else None

        def table(size: int = len(chosen)) -> tuple[int | Fraction, ...]:
            weights: list[int | Fraction] = [0, 0, 1, 1, 2, Fraction(1, 2), Fraction(2, 3)]
            return tuple(random.choice(weights) for _ in range(size + 1))

        otherwise = table() if given else ()
        case.seen.append(Evidence(random.choice(sorted(holders)), tuple(chosen), table(), number, given, otherwise))
    return case


SHAPES: dict[str, Callable[[Random], Case]] = {
    "clue": clue,
    "counts": counts,
    "weighted shows": weighted_shows,
    "lies": lies,
    "voids": voids,
    "whole hands": whole_hands,
    "anything": anything,
}
