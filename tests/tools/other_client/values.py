"""The values of WIRE.md section 4 and the rounding of section 1."""

from range_coder import DecodeError, RangeReader, RangeWriter

LAST_TICK = (1 << 31) - 1
LAST_LEAD = 16_383
SEATS = 32
MAX_NAME = 96
MAX_NOTICE = 240
MAX_CHOICES = 8
VARINT_GROUPS = 11


def nearest(a: int, b: int) -> int:
    """Return the whole number nearest to a / b, halves upwards: R( a / b )."""
    return (2 * a + b) // (2 * b)


def within(value: int, least: int, greatest: int, name: str) -> int:
    """Return the value, or refuse it if it is out of its range."""
    if least <= value <= greatest:
        return value
    raise DecodeError(f"{name} is {value}, not within {least} … {greatest}")


def a_tick(value: int) -> int:
    """Return the value, or refuse it if it is no tick."""
    return within(value, 0, LAST_TICK, "a tick")


def a_lead(value: int) -> int:
    """Return the value, or refuse it if it is no lead."""
    return within(value, 0, LAST_LEAD, "a lead")


def a_slack(value: int) -> int:
    """Return the value, or refuse it if it is no slack."""
    return within(value, -2048, 2047, "a slack")


def write_varint(writer: RangeWriter, value: int) -> None:
    """Code a number below 2^32, short if it is small."""
    while True:
        writer.bits(value & 7, 3)
        value >>= 3
        writer.flag(value > 0)
        if value == 0:
            return


def read_varint(reader: RangeReader) -> int:
    """Decode a number below 2^32."""
    value = 0
    for group in range(VARINT_GROUPS):
        value |= reader.bits(3) << 3 * group
        if not reader.flag():
            return within(value, 0, 0xFFFFFFFF, "a varint")
    raise DecodeError("a varint is too long")


def write_signed(writer: RangeWriter, value: int) -> None:
    """Code a number with a sign."""
    write_varint(writer, 2 * value if value >= 0 else -2 * value - 1)


def read_signed(reader: RangeReader) -> int:
    """Decode a number with a sign."""
    coded = read_varint(reader)
    return -(coded >> 1) - 1 if coded & 1 else coded >> 1


def write_near(writer: RangeWriter, value: int, e: int, p: int) -> None:
    """Code a number that is often e."""
    writer.flag(value == e, p)
    if value != e:
        write_signed(writer, value - e)


def read_near(reader: RangeReader, e: int, p: int) -> int:
    """Decode a number that is often e."""
    return e if reader.flag(p) else e + read_signed(reader)


def write_text(writer: RangeWriter, text: str) -> None:
    """Code a text as its length and its UTF-8."""
    data = text.encode()
    write_varint(writer, len(data))
    for byte in data:
        writer.bits(byte, 8)


def read_text(reader: RangeReader, longest: int) -> str:
    """Decode a text of at most so many bytes."""
    length = within(read_varint(reader), 0, longest, "a text's length")
    data = bytes(reader.bits(8) for _ in range(length))
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise DecodeError("a text is no UTF-8") from None


def write_token(writer: RangeWriter, token: str) -> None:
    """Code a seat token of 32 hexadecimal digits."""
    writer.bits(int(token, 16), 128)


def read_token(reader: RangeReader) -> str:
    """Decode a seat token."""
    return f"{reader.bits(128):032x}"


def write_choices(writer: RangeWriter, choices: tuple[int, ...]) -> None:
    """Code the values of a room's options."""
    writer.bits(len(choices), 4)
    for choice in choices:
        writer.bits(choice, 8)


def read_choices(reader: RangeReader) -> tuple[int, ...]:
    """Decode the values of a room's options."""
    count = within(reader.bits(4), 0, MAX_CHOICES, "the number of choices")
    return tuple(reader.bits(8) for _ in range(count))
