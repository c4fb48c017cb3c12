"""The messages from the client, on a WebSocket (WIRE.md section 6) and as datagrams (section 10)."""

from dataclasses import dataclass
from enum import Enum

from commands import Command, read_change, write_change
from range_coder import DecodeError, RangeReader, RangeWriter
from schema import Schema
from values import (
    MAX_NAME, a_lead, a_tick, read_choices, read_near, read_signed, read_text, read_token, read_varint, within,
    write_choices, write_near, write_signed, write_text, write_token, write_varint,
)

MAX_COMMANDS = 32


class Status(Enum):
    """What a client tells the server of its state."""

    IN_SYNC = "in sync"
    DESYNCED = "desynced"
    BODY_STREAM = "body stream"
    BODY_STREAM_AND_STATE = "body stream and state"

    @property
    def on_body_stream(self) -> bool:
        """Whether the client is on the body stream."""
        return self in (Status.BODY_STREAM, Status.BODY_STREAM_AND_STATE)


@dataclass(frozen=True)
class Hello:
    """The first message; `body_stream` is "no", "able" or "requested"."""

    version: int
    game: str
    room: str
    name: str
    spectator: bool
    body_stream: str
    token: str | None
    choices: tuple[int, ...] = ()


@dataclass(frozen=True)
class Ping:
    """Asks for the server's clock."""

    id: int


@dataclass(frozen=True)
class CommandMessage:
    """The command of one tick, with what the client has received."""

    tick: int
    received: int
    lead: int
    status: Status
    command: Command
    ping: int | None


@dataclass(frozen=True)
class Report:
    """The status of a client that sends no command now."""

    received: int
    status: Status


@dataclass(frozen=True)
class Proof:
    """The hashes of ten ticks, folded, up to the given one; only a client that simulates sends it."""

    tick: int
    proof: int


@dataclass(frozen=True)
class Back:
    """The client has left its datagram path."""

    received: int


@dataclass(frozen=True)
class CommandsDatagram:
    """The commands of `tick`, `tick` − 1 and so on, as a datagram; None if the one before them is missing."""

    received: int
    status: Status
    bodies_received: int | None
    lead: int
    tick: int
    reference: int | None
    commands: tuple[Command, ...] | None
    count: int


ClientMessage = Ping | CommandMessage | Report | Back | Proof


def write_hello(hello: Hello) -> bytes:
    """Code the hello with its three uncoded bytes."""
    writer = RangeWriter()
    write_text(writer, hello.game)
    write_text(writer, hello.room)
    write_text(writer, hello.name)
    writer.flag(hello.spectator)
    writer.flag(hello.body_stream != "no")
    if hello.body_stream != "no":
        writer.flag(hello.body_stream == "requested")
    writer.flag(hello.token is not None)
    if hello.token is not None:
        write_token(writer, hello.token)
    write_choices(writer, hello.choices)
    return (hello.version * 4).to_bytes(3, "little") + writer.end()


def read_hello(data: bytes) -> Hello:
    """Decode a hello."""
    if len(data) < 3:
        raise DecodeError("the hello is too short")
    number = int.from_bytes(data[:3], "little") & 0x3FFFF
    if number & 3:
        raise DecodeError("the hello begins with another number")
    reader = RangeReader(data[3:])
    game, room, name = read_text(reader, 32), read_text(reader, 16), read_text(reader, MAX_NAME)
    spectator = reader.flag()
    body_stream = "no"
    if reader.flag():
        body_stream = "requested" if reader.flag() else "able"
    token = read_token(reader) if reader.flag() else None
    choices = read_choices(reader)
    reader.end()
    return Hello(number >> 2, game, room, name, spectator, body_stream, token, choices)


def _write_status(writer: RangeWriter, status: Status, p: int) -> None:
    writer.flag(status is not Status.IN_SYNC, p)
    if status is not Status.IN_SYNC:
        writer.flag(status.on_body_stream)
        if status.on_body_stream:
            writer.flag(status is Status.BODY_STREAM_AND_STATE, 64)


def _read_status(reader: RangeReader, p: int) -> Status:
    return _read_other_status(reader) if reader.flag(p) else Status.IN_SYNC


def _read_other_status(reader: RangeReader) -> Status:
    """Decode a status that is not "in sync"."""
    if not reader.flag():
        return Status.DESYNCED
    return Status.BODY_STREAM_AND_STATE if reader.flag(64) else Status.BODY_STREAM


class ClientLink:
    """The messages of one WebSocket connection; each command is coded against the one before."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._last = CommandMessage(0, 0, 0, Status.IN_SYNC, schema.neutral, None)

    def write(self, message: ClientMessage) -> bytes:
        """Code one message after the hello."""
        writer = RangeWriter()
        writer.flag(isinstance(message, CommandMessage), 4060)
        if isinstance(message, CommandMessage):
            self._write_command(writer, message)
            return writer.end()
        writer.flag(isinstance(message, Ping), 3900)
        if isinstance(message, Ping):
            writer.bits(message.id, 8)
            return writer.end()
        writer.flag(isinstance(message, Proof))
        if isinstance(message, Proof):
            write_varint(writer, message.tick // 10)
            writer.bits(message.proof, 32)
            return writer.end()
        writer.flag(isinstance(message, Back), 64)
        write_varint(writer, message.received)
        if isinstance(message, Report):
            writer.flag(message.status.on_body_stream)
            if message.status.on_body_stream:
                writer.flag(message.status is Status.BODY_STREAM_AND_STATE, 64)
        return writer.end()

    def read(self, data: bytes) -> ClientMessage:
        """Decode one message after the hello."""
        reader = RangeReader(data)
        message: ClientMessage
        if reader.flag(4060):
            message = self._read_command(reader)
        elif reader.flag(3900):
            message = Ping(reader.bits(8))
        elif reader.flag():
            message = Proof(a_tick(read_varint(reader) * 10), reader.bits(32))
        elif reader.flag(64):
            message = Back(a_tick(read_varint(reader)))
        else:
            message = Report(a_tick(read_varint(reader)), _read_other_status(reader))
        reader.end()
        if isinstance(message, CommandMessage):
            self._last = message
        return message

    def _write_command(self, writer: RangeWriter, message: CommandMessage) -> None:
        last = self._last
        write_near(writer, message.tick, last.tick + 1, 4070)
        write_near(writer, message.received, last.received + 1, 3300)
        write_near(writer, message.lead, last.lead, 1600)
        _write_status(writer, message.status, _status_chance(last.status))
        write_change(writer, self._schema, message.command, last.command, 3350)
        writer.flag(message.ping is not None, 205)
        if message.ping is not None:
            writer.bits(message.ping, 8)
        self._last = message

    def _read_command(self, reader: RangeReader) -> CommandMessage:
        last = self._last
        return CommandMessage(
            tick=a_tick(read_near(reader, last.tick + 1, 4070)),
            received=a_tick(read_near(reader, last.received + 1, 3300)),
            lead=a_lead(read_near(reader, last.lead, 1600)),
            status=_read_status(reader, _status_chance(last.status)),
            command=read_change(reader, self._schema, last.command, 3350),
            ping=reader.bits(8) if reader.flag(205) else None,
        )


def _status_chance(last: Status) -> int:
    return 8 if last is Status.IN_SYNC else 4040


class DatagramLink:
    """The datagrams of one connection; short ones are coded against earlier ones."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._newest = -1
        self._first: dict[int, CommandsDatagram] = {}
        self._commands: dict[int, Command] = {}

    def write(self, message: Ping | CommandsDatagram) -> bytes:
        """Code a datagram."""
        writer = RangeWriter()
        writer.flag(isinstance(message, CommandsDatagram), 4060)
        if isinstance(message, Ping):
            writer.bits(message.id, 8)
            return writer.end()
        writer.flag(message.reference is not None, 4050)
        if message.reference is None:
            self._write_full(writer, message)
        else:
            self._write_short(writer, message, self._first[message.reference])
        self._keep(message)
        return writer.end()

    def read(self, data: bytes) -> Ping | CommandsDatagram:
        """Decode a datagram."""
        reader = RangeReader(data)
        if not reader.flag(4060):
            ping = Ping(reader.bits(8))
            reader.end()
            return ping
        message = self._read_short(reader) if reader.flag(4050) else self._read_full(reader)
        if message.commands is not None:
            reader.end()
        self._keep(message)
        return message

    def _write_full(self, writer: RangeWriter, message: CommandsDatagram) -> None:
        write_varint(writer, message.received)
        _write_report(writer, message)
        writer.bits(message.lead, 14)
        write_signed(writer, message.tick - message.received)
        write_varint(writer, message.count)
        other = self._schema.neutral
        for command in message.commands or ():
            write_change(writer, self._schema, command, other, 3350)
            other = command

    def _write_short(self, writer: RangeWriter, message: CommandsDatagram, against: CommandsDatagram) -> None:
        writer.bits(message.tick & 63, 6)
        writer.flag(message.reference == _references(message.tick)[0], 4050)
        write_near(writer, message.tick - message.received, against.tick - against.received, 3900)
        _write_report(writer, message)
        write_near(writer, message.lead, against.lead, 3300)
        write_near(writer, message.count, against.count, 3800)
        other = self._commands[message.tick - message.count]
        for command in reversed(message.commands or ()):
            write_change(writer, self._schema, command, other, 2700)
            other = command

    def _read_full(self, reader: RangeReader) -> CommandsDatagram:
        received = a_tick(read_varint(reader))
        status, bodies_received = _read_report(reader, received)
        lead = reader.bits(14)
        tick = a_tick(received + read_signed(reader))
        count = _a_count(read_varint(reader), tick)
        commands: list[Command] = []
        other = self._schema.neutral
        for _ in range(count):
            other = read_change(reader, self._schema, other, 3350)
            commands.append(other)
        return CommandsDatagram(received, status, bodies_received, lead, tick, None, tuple(commands), count)

    def _read_short(self, reader: RangeReader) -> CommandsDatagram:
        oldest = self._newest - 39
        tick = a_tick(oldest + (reader.bits(6) - oldest) % 64)
        reference = _references(tick)[0 if reader.flag(4050) else 1]
        against = self._first.get(reference)
        if against is None:
            raise DecodeError(f"a datagram is coded against tick {reference}")
        received = a_tick(tick - read_near(reader, against.tick - against.received, 3900))
        status, bodies_received = _read_report(reader, received)
        lead = a_lead(read_near(reader, against.lead, 3300))
        count = _a_count(read_near(reader, against.count, 3800), tick)
        other = self._commands.get(tick - count)
        if other is None:
            return CommandsDatagram(received, status, bodies_received, lead, tick, reference, None, count)
        commands: list[Command] = []
        for _ in range(count):
            other = read_change(reader, self._schema, other, 2700)
            commands.insert(0, other)
        return CommandsDatagram(received, status, bodies_received, lead, tick, reference, tuple(commands), count)

    def _keep(self, message: CommandsDatagram) -> None:
        if message.count == 0 or message.tick - message.received > 32:
            return
        self._newest = max(self._newest, message.tick)
        oldest = self._newest - 63
        self._first = {tick: first for tick, first in self._first.items() if tick >= oldest}
        self._commands = {tick: command for tick, command in self._commands.items() if tick >= oldest}
        if message.tick < oldest:
            return
        self._first.setdefault(message.tick, message)
        for index, command in enumerate(message.commands or ()):
            if message.tick - index >= oldest:
                self._commands.setdefault(message.tick - index, command)


def _references(tick: int) -> tuple[int, int]:
    nearer = tick - tick % 8 - 8
    return nearer, nearer - 8


def _a_count(value: int, tick: int) -> int:
    return within(value, 0, min(MAX_COMMANDS, tick + 1), "the number of commands")


def _write_report(writer: RangeWriter, message: CommandsDatagram) -> None:
    _write_status(writer, message.status, 8)
    if message.bodies_received is not None:
        write_near(writer, message.bodies_received, message.received, 3000)


def _read_report(reader: RangeReader, received: int) -> tuple[Status, int | None]:
    status = _read_status(reader, 8)
    return status, a_tick(read_near(reader, received, 3000)) if status.on_body_stream else None
