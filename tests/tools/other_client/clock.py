"""The client's clock and the lead of its commands (WIRE.md section 11). All times are in milliseconds."""

import math
from dataclasses import dataclass, replace

SAMPLES = 8
ENOUGH = 5
ONE_IS_ENOUGH_AFTER = 1500.0
SAME_SAMPLE = 500.0
MAX_CORRECTION = 0.3
MAX_RATE = 0.0495
TOLERANCE = 10.0
MAX_ROUTE = 90.0
MAX_JITTER = 250.0
LATE = 25.0
MAX_TICKS_AHEAD = 64


@dataclass(frozen=True)
class Sample:
    """What one pong said: `offset` is the server's clock minus the client's, in ticks."""

    added: float
    round_trip: float
    offset: float


class Clock:
    """Measures the server's clock, and moves the head from which the commands' ticks follow."""

    def __init__(self, tick_hz: int) -> None:
        self._tick_ms = 1000 / tick_hz
        self._sent: dict[int, tuple[float, int]] = {}
        self._pings = 0
        self._first_ping: float | None = None
        self._samples: list[Sample] = []
        self._zero = 0.0
        self._advised = 0.0
        self._last_advance = 0.0
        self._first_ping_after_contradiction = math.inf
        self.pongs = 0
        self.started = False
        self.head = 0.0
        self.lead = 0.0

    @property
    def round_trip(self) -> float:
        """The fastest round trip, 0 before the first pong."""
        return self._fastest().round_trip if self._samples else 0.0

    @property
    def doubts(self) -> bool:
        """Say whether the newest pong contradicted the fastest one, so that another one is needed at once."""
        return self._first_ping_after_contradiction < math.inf

    def ping(self, number: int, now: float) -> None:
        """Note that a ping leaves."""
        self._sent[number] = (now, self._pings)
        self._pings += 1
        if self._first_ping is None:
            self._first_ping = now

    def pong(self, number: int, clock: float, held: float, now: float) -> None:
        """Take a pong: the server's clock in ticks, and for how long the ping was held there, in ms."""
        if number not in self._sent:
            return
        sent, pings_before = self._sent.pop(number)
        self.pongs += 1
        round_trip = max(0.0, now - sent - held)
        at_arrival = clock + round_trip / 2 / self._tick_ms
        sample = Sample(now, round_trip, at_arrival - now / self._tick_ms)
        jumped = self._contradicts(sample)
        if jumped and pings_before < self._first_ping_after_contradiction:
            self._first_ping_after_contradiction = min(self._first_ping_after_contradiction, self._pings)
        else:
            self._first_ping_after_contradiction = math.inf
            if jumped:
                self._samples = [sample] * len(self._samples)
            self._keep(sample)
        if self.started:
            self.advance(now)
            self._correct(jumped and not self.doubts)
            if self._advised > MAX_TICKS_AHEAD * self._tick_ms:
                self._advised = self._first_lead()

    def can_start(self, now: float) -> bool:
        """Say whether the pongs suffice for the start; a state is needed, too."""
        if self.started or self._first_ping is None:
            return False
        needed = 1 if now - self._first_ping >= ONE_IS_ENOUGH_AFTER else ENOUGH
        return self.pongs >= needed

    def start(self, now: float) -> None:
        """Start with a lead that covers the round trips measured so far."""
        first_lead = self._first_lead()
        self._zero = self._fastest().offset
        self.head = self._zero + (now + first_lead) / self._tick_ms
        self.lead = self._advised = first_lead
        self._last_advance = now
        self.started = True

    def advise(self, lead: float, now: float) -> None:
        """Take the server's advice; 0 means that there is none yet."""
        if self.started and lead > 0:
            self.advance(now)
            slowest = max(sample.round_trip for sample in self._samples)
            self._advised = min(lead, slowest + MAX_JITTER)

    def advance(self, now: float) -> None:
        """Move the head to now, a little faster or slower if the lead is not the advised one."""
        elapsed = now - self._last_advance
        self.head += elapsed * (1 + self._rate(elapsed)) / self._tick_ms
        self._last_advance = now
        if abs(self._advised - self._lead_at(now)) > 500:
            self.head = self._zero + (now + self._advised) / self._tick_ms
        self.lead = self._lead_at(now)

    def reaches(self, tick: int) -> float:
        """Return when the head reaches a tick that is near."""
        return self._last_advance + (tick - self.head) * self._tick_ms / (1 + self._rate(0))

    def lead_of(self, tick: int, now: float) -> float:
        """Return the lead to report with the command of a tick that is sent now: shorter if it is sent late."""
        return min(self.lead, (tick - self._zero) * self._tick_ms - now + LATE)

    def server_tick(self, at: float) -> int:
        """Return the newest tick that is due on the server at a time."""
        return math.floor(self._zero + at / self._tick_ms)

    def _first_lead(self) -> float:
        """Return a lead that covers the round trips measured so far."""
        round_trips = sorted(sample.round_trip for sample in self._samples)
        r1, r4 = round_trips[0], round_trips[:4][-1]
        return r1 / 2 + 40 + 0.7 * min(300.0, r4 - r1)

    def _rate(self, elapsed: float) -> float:
        """Return how much faster than the time the head moves since the last advance."""
        rate = (self._advised - self._lead_at(self._last_advance)) / max(200.0, elapsed)
        return max(-MAX_RATE, min(MAX_RATE, rate))

    def _lead_at(self, at: float) -> float:
        return (self.head - self._zero) * self._tick_ms - at

    def _fastest(self) -> Sample:
        """Return the fastest sample, the older one of equals."""
        return min(self._samples, key=lambda sample: sample.round_trip)

    def _contradicts(self, sample: Sample) -> bool:
        """Say whether more lies between a sample and the fastest one than their waits and routes explain."""
        if not self._samples:
            return False
        fastest = self._fastest()
        apart = abs(sample.offset - fastest.offset) * self._tick_ms
        shorter, longer = sorted((sample.round_trip, fastest.round_trip))
        return apart > (longer - shorter) / 2 + min(shorter, MAX_ROUTE) + TOLERANCE

    def _keep(self, sample: Sample) -> None:
        """Keep a sample, or let it replace one that was added shortly before."""
        if len(self._samples) >= ENOUGH:
            newest = self._samples[-1]
            if sample.added - newest.added < SAME_SAMPLE:
                if sample.round_trip < newest.round_trip:
                    self._samples[-1] = replace(sample, added=newest.added)
                return
        self._samples = [*self._samples[1 - SAMPLES:], sample]

    def _correct(self, jumped: bool) -> None:
        """Bring zero nearer to the measured clock, or to it, with the head, if that has jumped."""
        error = (self._fastest().offset - self._zero) * self._tick_ms
        if jumped or abs(error) > 250 or error > self.lead > 0:
            self.head += error / self._tick_ms
        else:
            error = max(-MAX_CORRECTION, min(MAX_CORRECTION, error))
        self._zero += error / self._tick_ms
