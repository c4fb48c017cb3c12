"""What the messages from the server say (WIRE.md sections 7 and 10)."""

from dataclasses import dataclass

from bodies import Bodies
from commands import Command


@dataclass(frozen=True, slots=True)
class Welcome:
    """The seat of the client, or None for a spectator."""

    seat: int | None
    resumed: bool
    token: str
    npcs: int
    seed: int
    choices: tuple[int, ...]
    ordered: bool


@dataclass(frozen=True, slots=True)
class Pong:
    """Answers a ping; the clock is in 1/1024 of a tick."""

    id: int
    clock: int


@dataclass(frozen=True, slots=True)
class PiggybackedPong:
    """Answers a ping that came with a command; the clock counts from the message's tick."""

    id: int
    clock: int
    held: int


@dataclass(frozen=True, slots=True)
class Presence:
    """A seat is present from a tick on, or empty."""

    seat: int
    tick: int
    present: bool
    name: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """The definitive command of a seat for a tick."""

    seat: int
    tick: int
    command: Command


@dataclass(frozen=True, slots=True)
class Replaced:
    """A seat's newest announced command is from now on another, or there is none."""

    seat: int
    tick: int | None
    command: Command | None


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat that is present in a state."""

    seat: int
    name: str
    age: int
    command: Command | None


@dataclass(frozen=True, slots=True)
class Advice:
    """The slack of a recent command, and the lead that the server advises."""

    slack: int = 0
    lead: int = 0


@dataclass(frozen=True, slots=True)
class Delta:
    """What every tick has."""

    hash: int
    presence: list[Presence]
    announcements: list[Announcement]


@dataclass(frozen=True, slots=True)
class Tick:
    """The message of one tick."""

    tick: int
    delta: Delta
    advice: Advice
    pong: PiggybackedPong | None
    bodies: Bodies | None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The uncoded bytes of a state; `data` are `length` bytes, those before packing."""

    length: int
    deflated: bool
    packed: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class State:
    """The state of a tick; `delta` has what is announced beyond it."""

    tick: int
    delta: Delta
    seats: list[SeatState]
    replaced: list[Replaced]
    advice: Advice
    snapshot: Snapshot | None
    bodies: Bodies | None


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The client's datagrams of the newest tick and the seven before it, the newest first."""

    newest: int
    counts: list[int]
    read: list[bool]


@dataclass(frozen=True, slots=True)
class Ticks:
    """Several ticks in one datagram; `unread` if the known bodies of `base` are missing."""

    newest: int
    deltas: list[Delta]
    advice: Advice
    arrivals: Arrivals | None
    base: int | None
    bodies: Bodies | None
    unread: bool


@dataclass(frozen=True, slots=True)
class Early:
    """Commands that are announced between two ticks; the next tick message repeats them."""

    announcements: list[Announcement]


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for everybody on the server."""

    text: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Where the client may open a datagram path; `hash` is that of the server's own certificate."""

    port: int
    token: str
    hash: str | None


@dataclass(frozen=True, slots=True)
class Resume:
    """The tick after which tick messages go on, and the newest announced command of each seat that has one."""

    tick: int
    newest: list[Announcement]
    advice: Advice


ServerMessage = Welcome | Pong | Tick | State | Ticks | Early | Notice | Offer | Resume
