"""Commands and their differences (WIRE.md section 5)."""

from range_coder import RangeReader, RangeWriter
from schema import CommandField, Schema

Command = tuple[int, ...]


def write_difference(writer: RangeWriter, schema: Schema, command: Command, other: Command) -> None:
    """Code the difference of a command from another one."""
    for field, value, old in zip(schema.command, command, other):
        writer.flag(value == old, field.unchanged)
        if value == old:
            continue
        if field.type == "direction":
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
    if field.type == "direction":
        others = _other_values(field, old)
        return max(others) if reader.flag() else min(others)
    if field.type == "button":
        return 1 - old
    if reader.flag(field.one_press):
        return (old + 1) % 4
    return (old + (2 if reader.flag() else 3)) % 4
