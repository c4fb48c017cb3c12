"""The hash of words (WIRE.md section 9)."""

from collections.abc import Sequence

MASK = 0xFFFFFFFF


def hash_words(words: Sequence[int]) -> int:
    """Return the hash of 32-bit words; a negative word counts as its two's complement."""
    result = len(words)
    for k in words:
        k = k * 0xCC9E2D51 & MASK
        k = (k << 15 | k >> 17) & MASK
        result ^= k * 0x1B873593 & MASK
        result = (result << 13 | result >> 19) & MASK
        result = result * 5 + 0xE6546B64 & MASK
    result ^= result >> 16
    result = result * 0x85EBCA6B & MASK
    result ^= result >> 13
    result = result * 0xC2B2AE35 & MASK
    return result ^ result >> 16
