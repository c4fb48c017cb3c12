"""Commands and their differences (WIRE.md section 5)."""

from range_coder import DecodeError, RangeReader, RangeWriter
from schema import CommandField, Schema

Command = tuple[int, ...]


def write_difference(writer: RangeWriter, schema: Schema, command: Command, other: Command) -> None:
    """Code the difference of a command from another one."""
    for field, value, old in zip(schema.command, command, other):
        writer.flag(value == old, field.unchanged)
        if value == old:
            continue
        if field.type == "number":
            _write_number(writer, field, value, old)
        elif field.type == "direction":
            writer.flag(value == max(_other_values(field, old)))
        elif field.type == "presses":
            d = (value - old) % 4
            writer.flag(d == 1, field.one_press)
            if d != 1:
                writer.flag(d == 2)


def read_difference(reader: RangeReader, schema: Schema, other: Command) -> Command:
    """Decode a command from its difference from another one."""
    return tuple([
        old if reader.flag(field.unchanged) else _changed(reader, field, old)
        for field, old in zip(schema.command, other)
    ])


def write_change(writer: RangeWriter, schema: Schema, command: Command, other: Command, p: int) -> None:
    """Code a command that often equals another one."""
    writer.flag(command == other, p)
    if command != other:
        write_difference(writer, schema, command, other)


def read_change(reader: RangeReader, schema: Schema, other: Command, p: int) -> Command:
    """Decode a command that often equals another one."""
    return other if reader.flag(p) else read_difference(reader, schema, other)


def _other_values(field: CommandField, old: int) -> list[int]:
    return [value for value in field.values if value != old]


def _changed(reader: RangeReader, field: CommandField, old: int) -> int:
    """Decode the value of a field that is not the old one."""
    if field.type == "number":
        return _read_number(reader, field, old)
    if field.type == "direction":
        others = _other_values(field, old)
        return max(others) if reader.flag() else min(others)
    if field.type == "button":
        return 1 - old
    if reader.flag(field.one_press):
        return (old + 1) % 4
    return (old + (2 if reader.flag() else 3)) % 4


def _write_number(writer: RangeWriter, field: CommandField, value: int, old: int) -> None:
    """Code a number by its distance from the old one and by its direction."""
    count = len(field.values)
    way = value - old
    if field.wraps:
        up = way % count
        way = up if 2 * up <= count else up - count
    distance = abs(way)
    longest = _farthest(field, old).bit_length()
    length = distance.bit_length()
    for n in range(1, longest):
        writer.flag(n == length, 4096 // (longest - n + 1))
        if n == length:
            break
    writer.bits(distance - (1 << length - 1), length - 1)
    if len(_reached(field, old, distance)) == 2:
        writer.flag(way > 0)


def _read_number(reader: RangeReader, field: CommandField, old: int) -> int:
    """Decode a number by its distance from the old one and by its direction."""
    farthest = _farthest(field, old)
    longest = farthest.bit_length()
    length = 1
    while length < longest and not reader.flag(4096 // (longest - length + 1)):
        length += 1
    distance = (1 << length - 1) + reader.bits(length - 1)
    if distance > farthest:
        raise DecodeError(f"a number is {distance} steps away, not within 1 … {farthest}")
    reached = _reached(field, old, distance)
    return reached[0] if len(reached) == 1 or reader.flag() else reached[1]


def _farthest(field: CommandField, old: int) -> int:
    """Return the greatest distance of a number from the old one."""
    if field.wraps:
        return len(field.values) // 2
    return max(field.values[-1] - old, old - field.values[0])


def _reached(field: CommandField, old: int, distance: int) -> list[int]:
    """Return the numbers so far from the old one, first the one upwards."""
    least, count = field.values[0], len(field.values)
    if not field.wraps:
        return [number for number in (old + distance, old - distance) if least <= number < least + count]
    above, below = ((old + way - least) % count + least for way in (distance, -distance))
    return [above] if above == below else [above, below]
