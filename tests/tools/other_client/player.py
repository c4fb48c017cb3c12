"""Plays by chance, a little like a person: holds a direction for a while, flaps often, fires now and then."""

import random

from commands import Command
from schema import Schema

HOLD_SECONDS = (0.3, 1.5)
PRESS_SECONDS = {"flaps": (0.15, 0.6), "fires": (0.8, 3.0)}
OTHER_PRESS_SECONDS = (1.0, 4.0)
BUTTON_SECONDS = (0.05, 0.2)
BUTTON_OF_PRESSES = {"flaps": "flapHeld"}
MOST_AHEAD = 3
# What NPCs plan: a player's plan counts for nothing.
PLAN = "if "


class Player:
    """Makes one command after the other."""

    def __init__(self, schema: Schema, seed: int | None) -> None:
        self._schema = schema
        self._random = random.Random(seed)
        self._values = {field.name: field.neutral for field in schema.command}
        self._next = {field.name: 0 for field in schema.command}

    def command(self, tick: int, announced: Command, may_press: bool) -> Command:
        """Return the command of a tick; as long as it may not press, its counters are the announced ones."""
        for field in self._schema.command:
            if field.type == "button" and tick >= self._next[field.name]:
                self._values[field.name] = field.neutral
        for field, seen in zip(self._schema.command, announced):
            if tick < self._next[field.name]:
                continue
            is_own = not field.constant and not field.name.startswith(PLAN)
            if field.type == "direction" or field.type == "number" and is_own:
                self._values[field.name] = self._random.choice(field.values)
                self._next[field.name] = tick + self._ticks(HOLD_SECONDS)
            elif field.type == "presses" and not may_press:
                self._values[field.name] = seen
            elif field.type == "presses" and (self._values[field.name] - seen) % 4 < MOST_AHEAD:
                self._press(field.name, tick)
        return tuple([self._values[field.name] for field in self._schema.command])

    def _press(self, name: str, tick: int) -> None:
        """Press a button: its counter goes up, and it stays down for a moment."""
        self._values[name] = (self._values[name] + 1) % 4
        self._next[name] = tick + self._ticks(PRESS_SECONDS.get(name, OTHER_PRESS_SECONDS))
        if (button := BUTTON_OF_PRESSES.get(name)) in self._values:
            self._values[button] = 1
            self._next[button] = tick + self._ticks(BUTTON_SECONDS)

    def _ticks(self, seconds: tuple[float, float]) -> int:
        return max(1, round(self._random.uniform(*seconds) * self._schema.tick_hz))
