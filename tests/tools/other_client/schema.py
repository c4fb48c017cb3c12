"""The schema of a game (WIRE.md section 2), read from JSON."""

import json
import urllib.parse
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any

PROTOCOL = 16


class SchemaError(Exception):
    """The server's answer is no schema that this client understands."""


@dataclass(frozen=True)
class CommandField:
    """One field of a command, with the chances of its coding; `values` ascend."""

    name: str
    type: str
    values: tuple[int, ...]
    neutral: int
    held: bool
    unchanged: int
    one_press: int
    wraps: bool
    constant: bool


@dataclass(frozen=True)
class Kind:
    """One kind of bodies; `clocks` has the clock of each field."""

    name: str
    joint: bool
    moves: bool
    turns: bool
    gravity: int
    projectile: bool
    clocks: tuple[int, ...]


@dataclass(frozen=True)
class Schema:
    """What a client needs to know of a game."""

    id: str
    protocol: int
    socket_path: str
    tick_hz: int
    world_steps_per_tick: int
    players: int
    command: tuple[CommandField, ...]
    kinds: tuple[Kind, ...]

    @property
    def neutral(self) -> tuple[int, ...]:
        """The command that does nothing."""
        return tuple(field.neutral for field in self.command)


def _command_field(data: dict[str, Any]) -> CommandField:
    """Read one field of a command; only presses have a chance of one press, and only numbers have a range."""
    if data["type"] not in ("direction", "button", "presses", "number"):
        raise SchemaError(f"a command has a field of the unknown type {data['type']}")
    return CommandField(
        name=str(data["name"]),
        type=data["type"],
        values=_number_range(data) if data["type"] == "number" else tuple(int(value) for value in data["values"]),
        neutral=int(data["neutral"]),
        held=bool(data["held"]),
        unchanged=_chance(data["unchanged"]),
        one_press=_chance(data["onePress"]) if data["type"] == "presses" else 0,
        wraps=bool(data.get("wraps")),
        constant=bool(data.get("constant")),
    )


def _number_range(data: dict[str, Any]) -> tuple[int, ...]:
    """Give the whole numbers of a range, the least first."""
    values = tuple(range(int(data["least"]), int(data["greatest"]) + 1))
    if not 2 <= len(values) <= 65_536:
        raise SchemaError(f"a field has {len(values)} numbers")
    return values


def _chance(p: int) -> int:
    """Check a probability: the coder needs 1 to 4095."""
    if not 1 <= int(p) <= 4095:
        raise SchemaError(f"a probability is {p}")
    return int(p)


def _kind(data: dict[str, Any]) -> Kind:
    return Kind(
        name=str(data["name"]),
        joint=bool(data["joint"]),
        moves=bool(data["moves"]),
        turns=bool(data["turns"]),
        gravity=int(data["gravity"]),
        projectile=bool(data.get("projectile")),
        clocks=tuple(int(field["clock"]) for field in data["fields"]),
    )


def read_schema(data: Any) -> Schema:
    """Read a schema from its parsed JSON."""
    try:
        schema = Schema(
            id=str(data["id"]),
            protocol=int(data["protocol"]),
            socket_path=str(data["socketPath"]),
            tick_hz=int(data["tickHz"]),
            world_steps_per_tick=int(data["worldStepsPerTick"]),
            players=int(data["seats"]["players"]),
            command=tuple(_command_field(field) for field in data["command"]),
            kinds=tuple(_kind(kind) for kind in data["kinds"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SchemaError(f"the schema lacks something or has a wrong value: {error!r}") from None
    if schema.protocol != PROTOCOL:
        raise SchemaError(f"the server speaks version {schema.protocol}, this client version {PROTOCOL}")
    if min(schema.tick_hz, schema.world_steps_per_tick) < 1:
        raise SchemaError("the schema has no ticks or no world steps")
    return schema


def fetch_schema(url: str, game: str) -> Schema:
    """Fetch a game's schema from a server."""
    if not url.startswith("http://"):
        raise SchemaError(f"{url} is no http address")
    address = f"{url.rstrip('/')}/api/games/{urllib.parse.quote(game, safe='')}"
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return read_schema(json.load(answer))
    except (OSError, HTTPException) as error:
        raise SchemaError(f"cannot read {address}: {error}") from None
    except ValueError as error:
        raise SchemaError(f"{address} is no JSON: {error}") from None
