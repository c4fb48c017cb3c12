"""The bodies of the body stream: prediction, coding and checksum (WIRE.md section 8)."""

from dataclasses import dataclass
from typing import NamedTuple

from hashing import MASK, hash_words
from range_coder import DecodeError, RangeReader
from schema import Schema
from values import nearest, read_signed, read_varint

MAX_BODIES = 2049
MAX_MOTION = (1 << 24) - 1
MAX_ERROR_BITS = 24
MAX_AGE = 255
SENT_BY_AGE = (0, 740, 590, 590, 590, 590, 590, 410, 410, 500, 4090)
OLD = len(SENT_BY_AGE) - 1


def _row(*chances: int) -> tuple[int, ...]:
    """Return an error row with an entry for every number of bits."""
    return chances + chances[-1:] * (MAX_ERROR_BITS + 1 - len(chances))


VELOCITY = _row(1340, 70, 64, 150, 430, 850, 2080, 890, 1300, 2400)
CALM = _row(2500, 3000, 2600, 2400, 2200, 2000)
DEFLECTED = _row(1960, 1650, 820, 820, 890, 960, 1550)
NEW_VELOCITY = _row(300, 60, 60, 100, 150, 300, 500, 800, 1400, 1600, 2600, 2600)
NEW_PLACE = _row(40, 20, 20, 20, 20, 20, 20, 20, 40, 80, 200, 500, 1200, 2600, 3000)


class ChecksumError(DecodeError):
    """The client's bodies are not those of the server."""


class Motion(NamedTuple):
    """A body's motion in the units of section 8.1."""

    x: int = 0
    y: int = 0
    vx: int = 0
    vy: int = 0
    spin: int = 0
    angle: int = 0


@dataclass(frozen=True, slots=True)
class Body:
    """A known body as it was in the tick in which it was sent last."""

    entity: int
    tick: int
    streak: int
    kind: int
    motion: Motion
    jumps: int
    fields: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A body that is no longer known."""

    entity: int


@dataclass(frozen=True, slots=True)
class Sent:
    """A body that was sent, perhaps as it was predicted."""

    body: Body
    as_predicted: bool


class KnownBodies(dict[int, Body]):
    """The known bodies by entity, in ascending order, and the id of the next entity or joint."""

    next_id = 0


@dataclass(frozen=True, slots=True)
class Bodies:
    """The bodies of one message, and the known bodies after it."""

    sent: list[Sent | Gone]
    known: KnownBodies
    checksum: int | None


def predict_motion(hz: int, steps: int, gravity: int, motion: Motion, n: int) -> Motion:
    """Predict a motion n ticks ahead, at most 255."""
    n = min(MAX_AGE, n)
    x, y, vx, vy, spin, angle = motion
    g = gravity if vy else 0
    return Motion(
        x + nearest(4 * vx * n, hz),
        y + nearest((4 * vy * hz * steps - 2 * g * (n * steps + 1)) * n, hz * hz * steps),
        vx,
        vy - nearest(g * n, hz),
        spin,
        angle + nearest(4 * spin * n, hz),
    )


def place_again(hz: int, steps: int, gravity: int, motion: Motion, n: int, vx: int, vy: int) -> tuple[int, int]:
    """Place a body again after n ticks, at most 255, now that its new velocity is known."""
    n = min(MAX_AGE, n)
    if n != 1:
        return motion.x + nearest(2 * (motion.vx + vx) * n, hz), motion.y + nearest(2 * (motion.vy + vy) * n, hz)
    g = gravity if vy else 0
    return (
        motion.x + nearest(4 * vx, hz),
        motion.y + nearest(4 * vy * hz * steps + 2 * g * (steps - 1), hz * hz * steps),
    )


def predict_field(clock: int, value: int, n: int) -> int:
    """Predict a field n ticks ahead, at most 255."""
    n = min(MAX_AGE, n)
    if clock == 1 and 0 < value <= 254:
        return min(255, value + n)
    if clock == -1:
        return max(0, value - n)
    return value


def predict(schema: Schema, body: Body, tick: int) -> Body:
    """Predict a body for a later tick; what was sent, and when, stays."""
    n = tick - body.tick
    if n == 0:
        return body
    kind = schema.kinds[body.kind]
    motion = body.motion
    if kind.moves:
        motion = predict_motion(schema.tick_hz, schema.world_steps_per_tick, kind.gravity, motion, n)
    fields = tuple([predict_field(clock, value, n) for clock, value in zip(kind.clocks, body.fields)])
    return Body(body.entity, body.tick, body.streak, body.kind, motion, body.jumps, fields)


def checksum(schema: Schema, known: KnownBodies, tick: int) -> int:
    """Return the checksum over all known bodies, predicted for a tick."""
    words: list[int] = []
    for body in known.values():
        kind = schema.kinds[body.kind]
        predicted = predict(schema, body, tick)
        words += (body.entity, body.kind)
        if kind.moves:
            words += predicted.motion[:4]
        if kind.turns:
            words += predicted.motion[4:]
        if kind.moves:
            words.append(body.jumps)
        words += predicted.fields
    return hash_words(words) & 0xFFFF


def read_bodies(reader: RangeReader, schema: Schema, known: KnownBodies, tick: int) -> Bodies:
    """Decode the bodies of a message against the known bodies, which stay as they are."""
    sent: list[Sent | Gone] = []
    after = KnownBodies()
    newest = -1
    for newest, body in known.items():
        if not reader.flag(_sent_chance(schema, body, tick)):
            after[newest] = body
        elif reader.flag(200):
            sent.append(Gone(newest))
        else:
            update = _read_update(reader, schema, body, tick)
            sent.append(update)
            after[newest] = update.body
    while reader.flag(2050):
        newest += read_varint(reader) + 1
        if newest > MASK:
            raise DecodeError("an entity is above 2^32 − 1")
        after[newest] = _read_newcomer(reader, schema, newest, tick)
        sent.append(Sent(after[newest], False))
        if len(after) > MAX_BODIES:
            raise DecodeError(f"more than {MAX_BODIES} bodies are known")
    after.next_id = _read_next_id(reader, max(known.next_id, newest + 1))
    return Bodies(sent, after, None if tick % schema.tick_hz else _read_checksum(reader, schema, after, tick))


def _read_checksum(reader: RangeReader, schema: Schema, known: KnownBodies, tick: int) -> int:
    """Decode the server's checksum and compare it with the client's."""
    expected, got = reader.bits(16), checksum(schema, known, tick)
    if expected != got:
        raise ChecksumError(f"the checksum of tick {tick} is {got}, not {expected}")
    return expected


def _read_next_id(reader: RangeReader, likely: int) -> int:
    """Decode the id of the next entity or joint, which is at least the likely one."""
    if not reader.flag(10):
        return likely
    next_id = likely + 1 + read_varint(reader)
    if next_id > MASK:
        raise DecodeError("the next id is above 2^32 − 1")
    return next_id


def _sent_chance(schema: Schema, body: Body, tick: int) -> int:
    age = tick - body.tick
    if age == 1 and body.streak == 2:
        return 3600
    return 24 if schema.kinds[body.kind].joint else SENT_BY_AGE[min(age, OLD)]


def _read_update(reader: RangeReader, schema: Schema, body: Body, tick: int) -> Sent:
    """Decode a known body that was sent."""
    age = tick - body.tick
    kind = schema.kinds[body.kind]
    predicted = predict(schema, body, tick)
    motion, jumps, fields = predicted.motion, body.jumps, predicted.fields
    as_predicted = reader.flag(3800 if age >= OLD else 8)
    if not as_predicted:
        if kind.moves:
            motion = _checked(_read_motion(reader, schema, body, motion, tick))
            if reader.flag(16):
                jumps = reader.bits(8)
        fields = _read_fields(reader, fields)
    streak = min(2, body.streak + 1) if age == 1 else 1
    return Sent(Body(body.entity, tick, streak, body.kind, motion, jumps, fields), as_predicted)


def _read_motion(reader: RangeReader, schema: Schema, body: Body, predicted: Motion, tick: int) -> Motion:
    """Decode the motion of a known body from its errors."""
    kind = schema.kinds[body.kind]
    x, y, vx, vy, spin, angle = predicted
    error_vx = _read_error(reader, VELOCITY)
    error_vy = _read_error(reader, VELOCITY)
    vx += error_vx
    vy += error_vy
    row = CALM
    if not (-1 <= error_vx <= 1 and -1 <= error_vy <= 1):
        row = DEFLECTED
        hz, steps = schema.tick_hz, schema.world_steps_per_tick
        x, y = place_again(hz, steps, kind.gravity, body.motion, tick - body.tick, vx, vy)
    x += _read_error(reader, row)
    y += _read_error(reader, row)
    if kind.turns:
        spin += _read_error(reader, VELOCITY)
        angle += _read_error(reader, row)
    return Motion(x, y, vx, vy, spin, angle)


def _read_newcomer(reader: RangeReader, schema: Schema, entity: int, tick: int) -> Body:
    """Decode a body that was not known."""
    number = read_varint(reader)
    if number >= len(schema.kinds):
        raise DecodeError(f"there is no kind {number}")
    kind = schema.kinds[number]
    motion = Motion()
    jumps = 0
    if kind.moves:
        x = _read_error(reader, NEW_PLACE)
        y = _read_error(reader, NEW_PLACE)
        vx = _read_error(reader, NEW_VELOCITY)
        vy = _read_error(reader, NEW_VELOCITY)
        spin = _read_error(reader, VELOCITY) if kind.turns else 0
        angle = _read_error(reader, VELOCITY) if kind.turns else 0
        motion = Motion(x, y, vx, vy, spin, angle)
        if reader.flag(16):
            jumps = reader.bits(8)
    return Body(entity, tick, 1, number, motion, jumps, _read_fields(reader, (0,) * len(kind.clocks)))


def _read_fields(reader: RangeReader, predicted: tuple[int, ...]) -> tuple[int, ...]:
    """Decode a body's fields from their predicted values."""
    if not predicted or reader.flag(3700):
        return predicted
    return tuple([value if reader.flag(2050) else value + read_signed(reader) & MASK for value in predicted])


def _read_error(reader: RangeReader, row: tuple[int, ...]) -> int:
    """Decode a signed number by the number of its bits."""
    for k, p in enumerate(row):
        if reader.flag(p):
            break
    else:
        raise DecodeError(f"an error has more than {MAX_ERROR_BITS} bits")
    if k == 0:
        return 0
    negative = reader.flag()
    size = (1 << k - 1) + reader.bits(k - 1)
    return -size if negative else size


def _checked(motion: Motion) -> Motion:
    """Return the motion, or refuse it if a number is too great."""
    if max(motion) > MAX_MOTION or min(motion) < -MAX_MOTION:
        raise DecodeError("a number of a motion is too great")
    return motion
