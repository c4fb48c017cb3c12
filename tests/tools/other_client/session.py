"""One player's or spectator's session on the body stream: what to send and when (WIRE.md sections 11 and 12)."""

import math
from typing import Protocol

from bodies import ChecksumError, KnownBodies
from client_messages import ClientLink, CommandMessage, Hello, Ping, Status, write_hello
from clock import Clock
from commands import Command
from schema import PROTOCOL, Schema
from server_link import ServerLink
from server_messages import Pong, ServerMessage, State, Tick, Welcome
from values import LAST_LEAD

FIRST_PINGS = 20
FIRST_PING_MS = 20.0
UNANSWERED_PING_MS = 100.0
PING_MS = 1000.0
EARLY_PING_MS = 200.0
MOST_AT_ONCE = 32


class SessionError(Exception):
    """The server said what this client cannot go on with."""


class Plays(Protocol):
    """Decides what to play."""

    def command(self, tick: int, announced: Command, may_press: bool) -> Command:
        """Return the command of a tick; `announced` has the counters from which it continues."""


class Session:
    """Takes messages and times, gives messages; times are in milliseconds. It has no socket of its own."""

    def __init__(self, schema: Schema, player: Plays) -> None:
        self._schema = schema
        self._player = player
        self._to_server = ClientLink(schema)
        self._from_server = ServerLink(schema)
        self._status = Status.IN_SYNC
        self._spectator = False
        self._announced_ticks: set[int] = set()
        self._commanded = -1
        self._first_sent: float = math.inf
        self._entered: float = math.inf
        self._pings = 0
        self._ping_due = math.inf
        self.clock = Clock(schema.tick_hz)
        self.welcome: Welcome | None = None
        self._sent_commands: list[tuple[int, Command]] = []
        self.checksums = 0
        self.checksums_differ = 0

    @property
    def tick(self) -> int | None:
        """The newest definitive tick."""
        return self._from_server.tick

    @property
    def known(self) -> KnownBodies:
        """The known bodies."""
        return self._from_server.known

    def hello(self, room: str, name: str, spectator: bool, now: float, token: str | None = None) -> bytes:
        """Return the hello; the pings begin right behind it."""
        self._spectator = spectator
        self._ping_due = now
        return write_hello(Hello(PROTOCOL, self._schema.id, room, name, spectator, "requested", token))

    def receive(self, data: bytes, now: float) -> ServerMessage:
        """Take one message from the server."""
        try:
            message = self._from_server.read(data)
        except ChecksumError:
            self.checksums += 1
            self.checksums_differ += 1
            raise
        if isinstance(message, Welcome):
            if message.ordered:
                raise ValueError("the match is ordered: nobody sends bodies to a client that does not simulate")
            self.welcome = message
        elif isinstance(message, Pong):
            self._take_pong(message.id, message.clock / 1024, 0.0, now)
        elif isinstance(message, Tick | State):
            self._take_tick(message, now)
        return message

    def due(self, now: float) -> list[bytes]:
        """Return the messages that are to be sent now."""
        messages: list[bytes] = []
        if not self.clock.started and self.tick is not None and self.clock.can_start(now):
            self._start(now)
        if self.clock.started and self._plays():
            self.clock.advance(now)
            newest = math.floor(self.clock.head)
            if newest > self._commanded:
                messages += self._commands(newest, now)
        if now >= self._ping_due:
            messages.append(self._to_server.write(Ping(self._next_ping(now))))
        return messages

    def take_sent(self) -> list[tuple[int, Command]]:
        """Return the commands that were sent since the last call, with their ticks."""
        sent, self._sent_commands = self._sent_commands, []
        return sent

    def next_due(self) -> float:
        """Return the time at which something is to be sent."""
        if self.clock.started and self._plays():
            return min(self._ping_due, self.clock.reaches(self._commanded + 1))
        return self._ping_due

    def _plays(self) -> bool:
        return not self._spectator and self._seat is not None

    def _start(self, now: float) -> None:
        """Start the clock; the first command is for the tick after the head."""
        self.clock.start(now)
        self._commanded = math.floor(self.clock.head)

    @property
    def _seat(self) -> int | None:
        return self.welcome.seat if self.welcome else None

    def _announced(self) -> tuple[Command, bool]:
        """Return the command whose counters to continue from, and whether more may be pressed.

        Presses begin after an own command was announced for a tick in the game. Earlier ones would not count.
        """
        newest = None if self._seat is None else self._from_server.announced.get(self._seat)
        if newest is None or newest[0] < self._entered:
            return self._schema.neutral, False
        return newest[1], newest[0] >= self._first_sent

    def _take_tick(self, message: Tick | State, now: float) -> None:
        """Take a definitive tick with its advice, pong and bodies."""
        if isinstance(message, Tick) and message.pong:
            pong = message.pong
            held = pong.held / 1024 * 1000 / self._schema.tick_hz
            self._take_pong(pong.id, message.tick + pong.clock / 1024, held, now)
        self.clock.advise(message.advice.lead / 4, now)
        self._take_presence(message)
        own = {said.tick for said in message.delta.announcements if said.seat == self._seat}
        self._announced_ticks = {tick for tick in self._announced_ticks | own if tick > message.tick}
        if message.bodies:
            self._status = Status.BODY_STREAM
            self.checksums += message.bodies.checksum is not None
        elif self._status is Status.IN_SYNC:
            raise SessionError("the server began no body stream")

    def _take_presence(self, message: Tick | State) -> None:
        """Note from which tick on the player is in the game."""
        if isinstance(message, State):
            self._entered = 0 if any(seat.seat == self._seat for seat in message.seats) else math.inf
        for change in message.delta.presence:
            if change.seat == self._seat:
                self._entered = change.tick if change.present else math.inf

    def _take_pong(self, number: int, clock: float, held: float, now: float) -> None:
        self.clock.pong(number, clock, held, now)
        if self.clock.doubts:
            self._ping_due = now

    def _commands(self, newest: int, now: float) -> list[bytes]:
        """Return the commands that are due, without those that would be too late.

        The newest one is sent also if an NPC has given it: it shows the server what the player does.
        """
        late = min(self.clock.server_tick(now + self.clock.round_trip / 2), newest - 1)
        first = 1 + max(self._commanded, newest - MOST_AT_ONCE, late)
        self._commanded = newest
        received = self.tick or 0
        return [
            self._command(tick, received, now)
            for tick in range(max(first, received + 1), newest + 1)
            if tick == newest or tick not in self._announced_ticks
        ]

    def _command(self, tick: int, received: int, now: float) -> bytes:
        """Return the command message of a tick; a ping that is nearly due travels along."""
        command = self._player.command(tick, *self._announced())
        self._sent_commands.append((tick, command))
        self._first_sent = min(self._first_sent, tick)
        lead = max(0, min(LAST_LEAD, math.floor(4 * self.clock.lead_of(tick, now) + 0.5)))
        ping = self._next_ping(now) if now >= self._ping_due - EARLY_PING_MS else None
        return self._to_server.write(CommandMessage(tick, received, lead, self._status, command, ping))

    def _next_ping(self, now: float) -> int:
        """Note a ping that leaves now, and return its id."""
        number = self._pings % 256
        self._pings += 1
        if self.clock.pongs < 5 and self._pings < FIRST_PINGS:
            wait = FIRST_PING_MS
        elif self.clock.pongs > 0:
            wait = PING_MS
        else:
            wait = min(PING_MS, UNANSWERED_PING_MS * 2 ** (self._pings - FIRST_PINGS))
        self._ping_due = now + wait
        self.clock.ping(number, now)
        return number
