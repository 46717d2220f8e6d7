#!/usr/bin/env python3
"""Exact answers of model/stats.h for random samples, by another way: whole numbers and fractions, sorting and counting.

Prints one case a line for tests/unit/test_stats_oracle.c, words and numbers separated by spaces:
quantile Q N V... ANSWER | mad N V... ANSWER | interval WANTED N V... LO HI COVERAGE | sign PLUS MINUS P
| compare NOISE N BEFORE... AFTER... VERDICT PAIRS ROSE FELL EFFECT SMALLEST ("nan": the pass failed, or there is no such number)
"""
import random
from fractions import Fraction
from math import comb, floor

R = random.Random(20261201)
WANTED = [Fraction(9, 10), Fraction(95, 100), Fraction(99, 100), Fraction(999, 1000)]


def quantile(values, q):
    """Hyndman and Fan's type 7: the point at q of the polygon through ((i - 1) / (n - 1), i-th smallest)."""
    s = sorted(values)
    at = q * (len(s) - 1)
    low = floor(at)
    return s[low] if low + 1 == len(s) else s[low] + (at - low) * (s[low + 1] - s[low])


def median(values):
    s = sorted(values)
    return Fraction(s[(len(s) - 1) // 2] + s[len(s) // 2], 2)


def coverage(n, k):
    """How many of the 2^n ways to lie above or below the median leave it between the k-th smallest and k-th largest."""
    return Fraction(sum(comb(n, below) for below in range(k, n - k + 1)), 2 ** n)


def interval(values, wanted):
    s, n = sorted(values), len(values)
    k = max([k for k in range(1, (n + 1) // 2 + 1) if coverage(n, k) >= wanted], default=1)
    return s[k - 1], s[n - k], coverage(n, k)


def sign(plus, minus):
    n = plus + minus
    ways = sum(comb(n, i) for i in range(n + 1) if abs(2 * i - n) >= abs(plus - minus))
    return Fraction(ways, 2 ** n)


def compare(before, after, noise):
    d = [b - a for a, b in zip(before, after) if a is not None and b is not None]
    rose, fell = sum(x > 0 for x in d), sum(x < 0 for x in d)
    if not d:
        return "few", 0, 0, 0, None, None
    effect = median(d)
    # The least shift from no effect that leaves no difference on the other side of nothing, in the effect's direction.
    against = [effect - x for x in d] if effect > 0 else [x - effect for x in d] if effect < 0 else [abs(x) for x in d]
    smallest = None if noise is None else max(2 * noise, *against)
    verdict = ("few" if len(d) < 6 else "unknown" if noise is None
               else "moved" if len(d) in (rose, fell) and abs(effect) > 2 * noise else "none")
    return verdict, len(d), rose, fell, effect, smallest


def show(x):
    return "nan" if x is None else repr(float(x)) if isinstance(x, Fraction) else str(x)


def line(*words):
    print(*[show(w) for word in words for w in (word if isinstance(word, list) else [word])])


def sample(n):
    spread = R.choice([2, 10, 1000, 10 ** 9])
    return [R.randint(-spread, spread) for _ in range(n)]


def pair(n):
    base, spread, shift = R.randint(100, 10 ** 6), R.choice([1, 20, 90]), R.choice([0, 0, 15, 60, 200, -60, -200])
    before = [base + R.randint(-spread, spread) for _ in range(n)]
    after = [base + shift + R.randint(-spread, spread) for _ in range(n)]
    for values in (before, after):
        if R.random() < 0.15:
            values[R.randrange(n)] = None
    return before, after


def main():
    for _ in range(400):
        n = R.choice([1, 2, 3, 5, 6, 8, 9, 20, 64])
        v = sample(n)
        q = Fraction(R.randint(0, 64), 64)
        line("quantile", q, n, v, Fraction(quantile(v, q)))
        line("mad", n, v, median([abs(x - median(v)) for x in v]))
        wanted = R.choice(WANTED)
        lo, hi, covered = interval(v, wanted)
        line("interval", wanted, n, v, lo, hi, covered)
    for plus in range(20):
        for minus in range(20):
            line("sign", plus, minus, sign(plus, minus))
    for plus, minus in ((30, 34), (0, 64), (64, 0), (10, 54), (200, 240)):
        line("sign", plus, minus, sign(plus, minus))
    for _ in range(1500):
        n = R.choice([1, 4, 5, 6, 6, 6, 7, 8, 12])
        before, after = pair(n)
        noise = R.choice([None, 0, Fraction(R.randint(0, 60)), Fraction(R.randint(0, 60))])
        line("compare", noise, n, before, after, *compare(before, after, noise))


main()
