"""A seeded random generator held in an array of one word (SplitMix64), for kernels and for people."""

import hashlib

import numpy as np

from torres_mcts.core.jit import entry_kernel, kernel

GAMMA = np.uint64(0x9E37_79B9_7F4A_7C15)
MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
LOW_HALF = np.uint64(0xFFFF_FFFF)
TWO_POW_32 = np.uint64(1 << 32)


@kernel
def mix(word):
    """Scramble a word so that every bit of the result depends on every bit of it."""
    word = (word ^ (word >> np.uint64(30))) * MIX_1
    word = (word ^ (word >> np.uint64(27))) * MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def next_word(rng):
    """Return the next 64 random bits."""
    rng[0] += GAMMA
    return mix(rng[0])


@kernel
def draw_below(rng, limit):
    """Return a number from 0 to limit - 1, all equally likely (limit from 1 to 2**32)."""
    bound = np.uint64(limit)
    product = (next_word(rng) >> np.uint64(32)) * bound
    if product & LOW_HALF < bound:  # Lemire's rejection: without it small numbers come a little too often
        threshold = (TWO_POW_32 - bound) % bound
        while product & LOW_HALF < threshold:
            product = (next_word(rng) >> np.uint64(32)) * bound
    return np.int64(product >> np.uint64(32))


@kernel
def draw_unit(rng):
    """Return a number in [0, 1)."""
    return np.float64(next_word(rng) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def shuffle(rng, items, size):
    """Put the first `size` items into random order, all orders equally likely."""
    for last in range(size - 1, 0, -1):
        other = draw_below(rng, last + 1)
        items[last], items[other] = items[other], items[last]


@entry_kernel
def reseed(rng, seed, stream):
    """Start the generator on the numbered stream of a seed: streams are independent of each other."""
    rng[0] = mix(mix(np.uint64(seed) + GAMMA) ^ (np.uint64(stream) * GAMMA + MIX_1))


def new_rng(seed: int, stream: int = 0) -> np.ndarray:
    """Return a generator for a seed; the same seed and stream give the same numbers always."""
    rng = np.zeros(1, np.uint64)
    reseed(rng, np.uint64(seed % 2**64), np.uint64(stream % 2**64))
    return rng


def seed_for(*numbers: int) -> int:
    """Return a seed that is a function of some numbers: experiment, block, purpose, index.

    >>> seed_for(1, 2) == seed_for(1, 2) != seed_for(2, 1)
    True
    """
    text = ",".join(str(int(number)) for number in numbers)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


@entry_kernel
def draw_index(rng, limit):
    """Return a number from 0 to limit - 1, all equally likely, for Python."""
    return draw_below(rng, limit)
