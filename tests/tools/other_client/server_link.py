"""Decodes the messages from the server (WIRE.md sections 7 and 10)."""

from bodies import Bodies, KnownBodies, read_bodies
from commands import Command, read_change, read_difference
from range_coder import DecodeError, RangeReader
from schema import Schema
from server_messages import (
    Advice, Announcement, Arrivals, Delta, Early, Notice, Offer, PiggybackedPong, Pong, Presence, Replaced, Resume,
    SeatState, ServerMessage, Snapshot, State, Tick, Ticks, Welcome,
)
from snapshot import unpack
from values import (
    MAX_NAME, MAX_NOTICE, SEATS, a_lead, a_slack, a_tick, read_choices, read_near, read_signed, read_text, read_token,
    read_varint, within,
)

MAX_PRESENCE = 64
MAX_ANNOUNCEMENTS = 65
MAX_SNAPSHOT = 1 << 20
MAX_DATAGRAM = 1200
KEPT_TICKS = 32
IN_A_TICK = 120
IN_A_JOIN_STATE = 3900

Announced = dict[int, tuple[int, Command]]
"""The newest announced command of each seat, with its tick."""


class ServerLink:
    """Decodes the messages of one connection in their order."""

    def __init__(self, schema: Schema, datagrams: bool = False) -> None:
        self._schema = schema
        self._datagrams = datagrams
        self.tick: int | None = None
        self.announced: Announced = {}
        self.advice = Advice()
        self.known = KnownBodies()
        self._had_bodies = False
        self._kept: dict[int, KnownBodies] = {}

    def read(self, data: bytes) -> ServerMessage:
        """Decode one message."""
        reader = RangeReader(data)
        if reader.flag(3900):
            return self._read_tick(reader)
        match reader.bits(3):
            case 0:
                return _read_welcome(reader)
            case 1:
                return _read_pong(reader)
            case 2:
                return self._read_state(reader)
            case 4:
                return self._read_early(reader)
            case 5:
                return _read_notice(reader)
            case 6:
                return _read_offer(reader)
            case 7:
                return self._read_resume(reader)
        if len(data) > MAX_DATAGRAM:
            raise DecodeError("a datagram that is too long")
        return self._read_ticks(reader)

    def _read_tick(self, reader: RangeReader) -> Tick:
        if self.tick is None or self._datagrams:
            raise DecodeError("a tick message without a state before it")
        tick = a_tick(self.tick + 1)
        delta = self._read_delta(reader, tick, self.announced)
        advice = self._read_advice_delta(reader)
        pong = PiggybackedPong(reader.bits(8), read_varint(reader), read_varint(reader)) if reader.flag(205) else None
        bodies = None
        if reader.flag(4088 if self._had_bodies else 8):
            bodies = read_bodies(reader, self._schema, self.known, tick)
        reader.end()
        self.tick = tick
        self.advice = advice
        self._keep(bodies, tick)
        self._had_bodies = bodies is not None
        return Tick(tick, delta, advice, pong, bodies)

    def _read_state(self, reader: RangeReader) -> State:
        tick = a_tick(read_varint(reader))
        state_hash = reader.bits(16)
        presence = _read_presence(reader, tick)
        announced: Announced = {}
        announcements: list[Announcement] = []
        seats: list[SeatState] = []
        replaced: list[Replaced] = []
        for seat in range(SEATS):
            if reader.flag():
                seats.append(self._read_seat(reader, seat, tick, announced))
            announcements += self._read_announcements(reader, seat, tick, announced, IN_A_JOIN_STATE)
            if reader.flag(64):
                replaced.append(self._read_replaced(reader, seat, tick, announced))
        bodies = snapshot = None
        if reader.flag(256):
            advice = _read_full_advice(reader)
            bodies = read_bodies(reader, self._schema, KnownBodies(), tick)
            reader.end()
            self._had_bodies = True
            self._keep(bodies, tick)
        else:
            length = within(read_varint(reader), 0, MAX_SNAPSHOT, "a snapshot's length")
            deflated = reader.flag()
            advice = _read_full_advice(reader)
            packed = reader.uncoded()
            snapshot = Snapshot(length, deflated, packed, unpack(packed, length, deflated))
        self.tick = tick
        self.announced = announced
        self.advice = advice
        delta = Delta(state_hash, presence, announcements)
        return State(tick, delta, seats, replaced, advice, snapshot, bodies)

    def _read_resume(self, reader: RangeReader) -> Resume:
        tick = a_tick(read_varint(reader))
        announced: Announced = {}
        for seat in range(SEATS):
            if reader.flag(64):
                self._read_replaced(reader, seat, tick, announced)
        advice = _read_full_advice(reader)
        reader.end()
        self.tick = tick
        self.announced = announced
        self.advice = advice
        return Resume(tick, [Announcement(seat, *newest) for seat, newest in announced.items()], advice)

    def _read_early(self, reader: RangeReader) -> Early:
        if self.tick is None:
            raise DecodeError("early announcements without a state before them")
        first = a_tick(self.tick + 1)
        announcements: list[Announcement] = []
        for seat in range(self._schema.players):
            if not reader.flag(300):
                continue
            before = self.announced.get(seat)
            likely = first if before is None else max(first, before[0] + 1)
            tick = a_tick(read_near(reader, likely, 4030))
            if tick < first:
                raise DecodeError(f"an early announcement before tick {first} is for tick {tick}")
            reference = self._schema.neutral if before is None else before[1]
            announcements.append(Announcement(seat, tick, read_difference(reader, self._schema, reference)))
        reader.end()
        return Early(announcements)

    def _read_ticks(self, reader: RangeReader) -> Ticks:
        newest = a_tick(read_varint(reader))
        first = within(newest - reader.bits(5), 1, newest, "the first tick")
        announced: Announced = {}
        deltas = [self._read_delta(reader, tick, announced) for tick in range(first, newest + 1)]
        advice = _read_full_advice(reader)
        arrivals = _read_arrivals(reader, newest)
        base = bodies = None
        if reader.flag(256):
            base = newest - 1 - reader.bits(5)
            if base not in self._kept:
                return Ticks(newest, deltas, advice, arrivals, base, None, True)
            bodies = read_bodies(reader, self._schema, self._kept[base], newest)
        reader.end()
        self._keep(bodies, newest)
        return Ticks(newest, deltas, advice, arrivals, base, bodies, False)

    def _keep(self, bodies: Bodies | None, tick: int) -> None:
        """Keep the known bodies; datagrams need those of earlier ticks, too, and may come late."""
        if bodies is None:
            return
        if not self._datagrams:
            self.known = bodies.known
            return
        self._kept[tick] = bodies.known
        for old in sorted(self._kept)[:-KEPT_TICKS]:
            del self._kept[old]
        self.known = self._kept[max(self._kept)]

    def _read_delta(self, reader: RangeReader, tick: int, announced: Announced) -> Delta:
        """Decode a tick delta and bring the newest announced commands up to date."""
        tick_hash = reader.bits(16)
        presence = _read_presence(reader, tick)
        announcements: list[Announcement] = []
        for seat in range(SEATS):
            announcements += self._read_announcements(reader, seat, tick, announced, IN_A_TICK)
        return Delta(tick_hash, presence, announcements)

    def _read_announcements(
        self, reader: RangeReader, seat: int, n: int, announced: Announced, again: int,
    ) -> list[Announcement]:
        """Decode the announcements of one seat; `again` is the chance of each after the first."""
        player = seat < self._schema.players
        newest = announced.get(seat)
        p = 12
        if newest and newest[0] >= n - 8:
            p = 3800 if player else 4040
        result: list[Announcement] = []
        while reader.flag(p):
            if len(result) == MAX_ANNOUNCEMENTS:
                raise DecodeError(f"more than {MAX_ANNOUNCEMENTS} announcements of a seat")
            expected = max(n, newest[0] + 1) if newest else n
            tick = a_tick(read_near(reader, expected, 4030))
            if tick < n:
                raise DecodeError(f"an announcement in tick {n} is for tick {tick}")
            other = newest[1] if newest else self._schema.neutral
            command = read_change(reader, self._schema, other, 3350 if player else 3750)
            result.append(Announcement(seat, tick, command))
            if not newest or tick > newest[0]:
                newest = announced[seat] = (tick, command)
            p = again
        return result

    def _read_advice_delta(self, reader: RangeReader) -> Advice:
        if not reader.flag(700):
            return self.advice
        slack = a_slack(self.advice.slack + read_signed(reader))
        return Advice(slack, a_lead(self.advice.lead + read_signed(reader)))

    def _read_seat(self, reader: RangeReader, seat: int, n: int, announced: Announced) -> SeatState:
        """Decode a seat that is present; its command begins its announcements."""
        name = read_text(reader, MAX_NAME)
        age = read_varint(reader)
        command = None
        if reader.flag():
            command = read_difference(reader, self._schema, self._schema.neutral)
            announced[seat] = (a_tick(n - age), command)
        return SeatState(seat, name, age, command)

    def _read_replaced(self, reader: RangeReader, seat: int, n: int, announced: Announced) -> Replaced:
        """Decode what a seat's newest announced command is from now on."""
        if not reader.flag():
            announced.pop(seat, None)
            return Replaced(seat, None, None)
        tick = a_tick(n - read_signed(reader))
        command = read_difference(reader, self._schema, self._schema.neutral)
        announced[seat] = (tick, command)
        return Replaced(seat, tick, command)


def _read_welcome(reader: RangeReader) -> Welcome:
    seat = reader.bits(5) if reader.flag() else None
    resumed = seat is not None and reader.flag()
    token = read_token(reader)
    npcs = reader.bits(5)
    seed = reader.bits(32)
    welcome = Welcome(seat, resumed, token, npcs, seed, read_choices(reader), reader.flag())
    reader.end()
    return welcome


def _read_pong(reader: RangeReader) -> Pong:
    number = reader.bits(8)
    pong = Pong(number, read_varint(reader) << 10 | reader.bits(10))
    reader.end()
    return pong


def _read_notice(reader: RangeReader) -> Notice:
    notice = Notice(read_text(reader, MAX_NOTICE))
    reader.end()
    return notice


def _read_arrivals(reader: RangeReader, tick: int) -> Arrivals | None:
    if not reader.flag(4000):
        return None
    newest = a_tick(read_near(reader, tick + 1, 2500))
    if reader.flag(3600):
        return Arrivals(newest, [1] * 8, [True] * 8)
    counts: list[int] = []
    read: list[bool] = []
    for _ in range(8):
        count = 0
        if reader.flag(3600):
            count = 1 if reader.flag(2600) else 2 + reader.bits(2)
        counts.append(count)
        read.append(count > 0 and reader.flag(4000))
    return Arrivals(newest, counts, read)


def _read_offer(reader: RangeReader) -> Offer:
    port, token = reader.bits(16), read_token(reader)
    offer = Offer(port, token, read_token(reader) + read_token(reader) if reader.flag() else None)
    reader.end()
    return offer


def _read_full_advice(reader: RangeReader) -> Advice:
    return Advice(reader.bits(12) - 2048, reader.bits(14))


def _read_presence(reader: RangeReader, n: int) -> list[Presence]:
    """Decode the changes of presence."""
    result: list[Presence] = []
    while reader.flag(16):
        if len(result) == MAX_PRESENCE:
            raise DecodeError(f"more than {MAX_PRESENCE} changes of presence")
        seat = reader.bits(5)
        tick = a_tick(n + read_varint(reader))
        present = reader.flag()
        result.append(Presence(seat, tick, present, read_text(reader, MAX_NAME) if present else ""))
    return result
