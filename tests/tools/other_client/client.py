"""Plays on a Wyvern server for a while, or watches, and writes what it saw as JSON lines."""

import argparse
import json
import math
import re
import sys
import time
from collections.abc import Iterator
from typing import Any, TextIO

from bodies import ChecksumError, predict
from player import Player
from range_coder import DecodeError
from schema import Schema, SchemaError, fetch_schema
from server_messages import State, Tick, Welcome
from session import Session, SessionError
from values import MAX_NAME
from websocket import WebSocket, WebSocketError

NORMAL_END = 1000
BAD_BYTES = 4000
START_SECONDS = 10
LONGEST_WAIT_MS = 100.0
TURN = 2 * math.pi


class Failed(Exception):
    """The client cannot go on; the text says why."""


class Client:
    """Connects a session with a socket, the clock of the machine and the log."""

    def __init__(self, options: argparse.Namespace, schema: Schema, log: TextIO) -> None:
        self._options = options
        self._schema = schema
        self._log = log
        self._session = Session(schema, Player(schema, options.seed))
        self._socket = WebSocket(options.url, schema.socket_path)
        self._ticks = 0
        self._messages = 0
        self._decode_errors = 0

    def run(self) -> None:
        """Play until the time is over, then leave; the last line is written in any case."""
        code = NORMAL_END
        try:
            self._play()
        except (ChecksumError, SessionError) as error:
            code = BAD_BYTES
            raise Failed(str(error)) from None
        except DecodeError as error:
            self._decode_errors += 1
            code = BAD_BYTES
            raise Failed(f"a message from the server cannot be decoded: {error}") from None
        finally:
            self._socket.close(code)
            self._write_end()

    def _play(self) -> None:
        """Send and receive; what is due is sent first, and after every message."""
        session, options = self._session, self._options
        self._socket.send(session.hello(options.room, options.name, options.watch, _now()))
        end = _now() + START_SECONDS * 1000
        started = False
        while (now := _now()) < end:
            self._send_due()
            if session.clock.started and not started:
                started = True
                end = now + options.seconds * 1000
            self._socket.wait(min(LONGEST_WAIT_MS, session.next_due() - _now(), end - _now()) / 1000)
            arrival = _now()
            while (data := self._socket.message()) is not None:
                self._messages += 1
                self._take(data, arrival)
                self._send_due()
            if self._socket.closed:
                closed = self._socket.closed
                raise Failed(f"the connection was closed with code {closed.code} {closed.reason}".rstrip())
        if not started:
            raise Failed(f"the server gave no state or no pongs within {START_SECONDS} s")

    def _send_due(self) -> None:
        for message in self._session.due(_now()):
            self._socket.send(message)
        names = [field.name for field in self._schema.command]
        for tick, command in self._session.take_sent():
            self._write({"type": "sent", "tick": tick, "command": dict(zip(names, command))})

    def _take(self, data: bytes, arrival: float) -> None:
        """Take one message and log what it says."""
        message = self._session.receive(data, arrival)
        if isinstance(message, Welcome):
            self._write({"type": "welcome", "seat": message.seat})
        elif isinstance(message, Tick | State):
            self._ticks += 1
            self._write({"type": "tick", "tick": message.tick, "bodies": list(self._bodies(message.tick))})

    def _bodies(self, tick: int) -> Iterator[list[float]]:
        """Give all known bodies that move, predicted for a tick, in metres, radians and seconds."""
        for known in self._session.known.values():
            if self._schema.kinds[known.kind].moves:
                x, y, vx, vy, spin, angle = predict(self._schema, known, tick).motion
                yield [
                    known.entity, known.kind, x / 256, y / 256, angle * TURN / 1024,
                    vx / 64, vy / 64, spin * TURN / 256,
                ]

    def _write(self, line: dict[str, Any]) -> None:
        self._log.write(json.dumps(line, separators=(",", ":")) + "\n")

    def _write_end(self) -> None:
        session = self._session
        self._write({
            "type": "end", "ticks": self._ticks, "messages": self._messages, "decodeErrors": self._decode_errors,
            "checksums": session.checksums, "checksumsDiffer": session.checksums_differ,
            "bytesDown": self._socket.bytes_down, "leadMs": round(session.clock.lead, 3),
            "roundTripMs": round(session.clock.round_trip, 3),
        })


def _now() -> float:
    return time.perf_counter() * 1000


def _room(text: str) -> str:
    if not re.fullmatch("[A-Z]{4}", text):
        raise argparse.ArgumentTypeError("a room is four letters A–Z")
    return text


def _name(text: str) -> str:
    if len(text.encode()) > MAX_NAME:
        raise argparse.ArgumentTypeError(f"a name has at most {MAX_NAME} bytes")
    return text


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError("the seconds are a number above 0")
    return seconds


def _options() -> argparse.Namespace:
    """Read the flags; a wrong one ends the program with exit code 2."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--url", required=True, help="http://HOST:PORT of the server")
    parser.add_argument("--game", required=True, help="the game's id")
    parser.add_argument("--room", required=True, type=_room, help="four letters A–Z")
    parser.add_argument("--name", required=True, type=_name, help="the player's name")
    parser.add_argument("--seconds", required=True, type=_seconds, help="for how long to play")
    parser.add_argument("--seed", type=int, help="plays the same again with the same seed")
    parser.add_argument("--watch", action="store_true", help="watches without playing")
    parser.add_argument("--log", required=True, help="the file for the JSON lines")
    return parser.parse_args()


def main() -> int:
    """Run the client; the answer is the exit code."""
    options = _options()
    try:
        schema = fetch_schema(options.url, options.game)
        with open(options.log, "w", encoding="utf-8") as log:
            Client(options, schema, log).run()
    except (Failed, SchemaError, WebSocketError, OSError) as error:
        print(f"client.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
