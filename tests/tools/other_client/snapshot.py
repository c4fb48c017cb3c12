"""The snapshot of a state (WIRE.md section 9), for clients without the body stream."""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from hashing import hash_words
from range_coder import DecodeError
from schema import Schema


@dataclass(frozen=True)
class Solid:
    """An entity with a body; the motion is x, y, angle, vx, vy, spin, and `rest` is in seconds."""

    id: int
    kind: int
    awake: bool
    jumps: int
    motion: tuple[float, ...]
    rest: float
    fields: tuple[int, ...]


@dataclass(frozen=True)
class Projectile:
    """An entity without a body of its own; the motion is x, y, vx, vy."""

    id: int
    kind: int
    age: int
    bounces: int
    jumps: int
    motion: tuple[float, ...]
    fields: tuple[int, ...]


@dataclass(frozen=True)
class ContactPoint:
    """One point of a contact."""

    x: float
    y: float
    normal_impulse: float
    tangent_impulse: float
    features: int


@dataclass(frozen=True)
class Contact:
    """Two fixtures that touch; normal and reference point need at least one point."""

    entity_a: int
    entity_b: int
    fixture_a: int
    fixture_b: int
    type: int
    one_way_passed: bool
    normal: tuple[float, ...] | None
    reference: tuple[float, ...] | None
    points: tuple[ContactPoint, ...]


@dataclass(frozen=True)
class Content:
    """What a snapshot says; `hash` is that of its words."""

    hash: int
    tick: int
    next_id: int
    fields: tuple[int, ...]
    entities: tuple[Solid | Projectile, ...]
    contacts: tuple[Contact, ...]


class _Words:
    """Takes one word after the other."""

    def __init__(self, words: tuple[int, ...]) -> None:
        self._words: Iterator[int] = iter(words)

    def word(self) -> int:
        """Take one word."""
        try:
            return next(self._words)
        except StopIteration:
            raise DecodeError("the snapshot is too short") from None

    def words(self, count: int) -> tuple[int, ...]:
        """Take so many words."""
        return tuple([self.word() for _ in range(count)])

    def floats(self, count: int) -> tuple[float, ...]:
        """Take so many words that are floats."""
        return struct.unpack(f"<{count}f", struct.pack(f"<{count}I", *self.words(count)))

    def end(self) -> None:
        """Check that there are no more words."""
        if next(self._words, None) is not None:
            raise DecodeError("the snapshot is too long")


def unpack(data: bytes, length: int, deflated: bool) -> bytes:
    """Return the bytes of a snapshot, inflated if they are packed."""
    if deflated:
        inflate = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            data = inflate.decompress(data, length + 1)
        except zlib.error as error:
            raise DecodeError(f"the snapshot cannot be inflated: {error}") from None
        if not inflate.eof or inflate.unused_data:
            raise DecodeError("the packed snapshot has another end")
    if len(data) != length:
        raise DecodeError(f"the snapshot has {len(data)} bytes, not {length}")
    return data


def read_snapshot(schema: Schema, data: bytes) -> Content:
    """Read the words of a snapshot."""
    if len(data) % 4:
        raise DecodeError("the snapshot is not made of words")
    all_words = struct.unpack(f"<{len(data) // 4}I", data)
    words = _Words(all_words)
    tick, next_id, entity_count, joint_count, contact_count = words.words(5)
    if joint_count:
        raise DecodeError("this client knows no joints")
    fields = words.words(len(schema.kinds[0].clocks))
    entities = tuple([_read_entity(schema, words) for _ in range(entity_count)])
    contacts = tuple([_read_contact(words) for _ in range(contact_count)])
    words.end()
    return Content(hash_words(all_words), tick, next_id, fields, entities, contacts)


def _read_entity(schema: Schema, words: _Words) -> Solid | Projectile:
    """Read one entity in the layout of its kind."""
    number, kind_number = words.words(2)
    if kind_number >= len(schema.kinds):
        raise DecodeError(f"there is no kind {kind_number}")
    kind = schema.kinds[kind_number]
    if kind.projectile:
        age, bounces, jumps = words.words(3)
        motion = words.floats(4)
        return Projectile(number, kind_number, age, bounces, jumps, motion, words.words(len(kind.clocks)))
    awake, jumps = words.words(2)
    *motion_words, rest = words.floats(7)
    fields = words.words(len(kind.clocks))
    return Solid(number, kind_number, bool(awake), jumps, tuple(motion_words), rest, fields)


def _read_contact(words: _Words) -> Contact:
    """Read one contact with its points."""
    entity_a, entity_b, flags = words.words(3)
    count = flags >> 16 & 3
    normal = words.floats(2) if count else None
    reference = words.floats(2) if count else None
    points = tuple([_read_point(words) for _ in range(count)])
    return Contact(
        entity_a, entity_b, flags & 255, flags >> 8 & 255, flags >> 18 & 3, bool(flags >> 20 & 1),
        normal, reference, points,
    )


def _read_point(words: _Words) -> ContactPoint:
    x, y, normal_impulse, tangent_impulse = words.floats(4)
    return ContactPoint(x, y, normal_impulse, tangent_impulse, words.word())
