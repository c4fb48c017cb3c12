"""Checks this client against the test vectors of WIRE.md section 13: python3 check_vectors.py DIR"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bodies import Body, Motion, checksum, place_again, predict_field, predict_motion
from client_messages import ClientLink, CommandsDatagram, DatagramLink, Hello, Ping, read_hello, write_hello
from clock import Clock
from hashing import hash_words
from range_coder import DecodeError, RangeReader, RangeWriter
from schema import PROTOCOL, Schema, read_schema
from server_link import ServerLink
from snapshot import read_snapshot, unpack
from values import (
    read_near, read_signed, read_text, read_varint, write_near, write_signed, write_text, write_varint,
)
from vector_messages import (
    AnyClientMessage, Json, client_message_from_json, client_message_to_json, server_message_to_json,
    snapshot_to_json,
)

SHOWN = 5
REFUSED = "refused"
PARTS = {"messages", "rows", "clocks", "events"}
Found = Iterator[tuple[str, Any, Any]]
"""What was compared, what the vector says and what this client says."""


def read_element(reader: RangeReader, element: list[Any]) -> Any:
    """Decode one element of the range coder's vectors."""
    match element[0]:
        case "flag":
            return int(reader.flag(element[1]))
        case "bits":
            return reader.bits(element[1])
        case "varint":
            return read_varint(reader)
        case "signed":
            return read_signed(reader)
        case "near":
            return read_near(reader, element[1], element[2])
        case "text":
            return read_text(reader, element[1])
    raise ValueError(f"an element has the unknown type {element[0]}")


def write_element(writer: RangeWriter, element: list[Any]) -> None:
    """Code one element of the range coder's vectors."""
    value = element[-1]
    match element[0]:
        case "flag":
            writer.flag(bool(value), element[1])
        case "bits":
            writer.bits(value, element[1])
        case "varint":
            write_varint(writer, value)
        case "signed":
            write_signed(writer, value)
        case "near":
            write_near(writer, value, element[1], element[2])
        case "text":
            write_text(writer, value)


def read_elements(case: Json) -> tuple[list[Any], str | None]:
    """Decode a case of the range coder: its values, and its uncoded bytes if it has any."""
    reader = RangeReader(bytes.fromhex(case["bytes"]))
    values = [read_element(reader, element) for element in case["values"]]
    if "uncoded" in case:
        return values, reader.uncoded().hex()
    reader.end()
    return values, None


def coder(_schemas: dict[str, Schema], case: Json) -> Found:
    """Decode and encode a case of the range coder."""
    try:
        values, uncoded = read_elements(case)
    except DecodeError as error:
        if not case.get(REFUSED):
            yield "decoding", "no error", str(error)
        return
    if case.get(REFUSED):
        yield "decoding", "an error", values
        return
    yield "values", [element[-1] for element in case["values"]], values
    yield "uncoded", case.get("uncoded"), uncoded
    if case.get("usual", True):
        writer = RangeWriter()
        for element in case["values"]:
            write_element(writer, element)
        data = writer.end() if uncoded is None else writer.end_with(bytes.fromhex(uncoded))
        yield "bytes", case["bytes"], data.hex()


class ClientEnd:
    """Both ends of a connection, for the client's messages."""

    def __init__(self, schema: Schema, link: str) -> None:
        self._datagrams = link == "datagram"
        self._writer, self._reader = ClientLink(schema), ClientLink(schema)
        self._datagram_writer, self._datagram_reader = DatagramLink(schema), DatagramLink(schema)

    def write(self, message: AnyClientMessage) -> bytes:
        """Code a message."""
        if isinstance(message, Hello):
            return write_hello(message)
        if isinstance(message, CommandsDatagram) or self._datagrams and isinstance(message, Ping):
            return self._datagram_writer.write(message)
        return self._writer.write(message)

    def read(self, data: bytes, hello: bool) -> AnyClientMessage:
        """Decode a message."""
        if hello:
            return read_hello(data)
        return self._datagram_reader.read(data) if self._datagrams else self._reader.read(data)


def client_messages(schemas: dict[str, Schema], case: Json) -> Found:
    """Decode and encode the client's messages of one connection."""
    ends = ClientEnd(schemas[case["game"]], case["link"])

    def read(index: int, data: bytes) -> Json:
        return client_message_to_json(ends.read(data, index == 0))

    yield from connection(case, read)
    for index, item in enumerate(case["messages"]):
        # Commands that were not read cannot be written.
        if not item.get(REFUSED) and item["message"].get("commands") != "unread":
            data = ends.write(client_message_from_json(item["message"]))
            yield f"message {index} bytes", item["bytes"], data.hex()


def server_messages(schemas: dict[str, Schema], case: Json) -> Found:
    """Decode the server's messages of one connection."""
    schema = schemas[case["game"]]
    link = ServerLink(schema, case["link"] == "datagram")
    yield from connection(case, lambda _index, data: server_message_to_json(schema, link.read(data)))


def connection(case: Json, read: Callable[[int, bytes], Json]) -> Found:
    """Decode the messages of one connection; one that must be refused is the last."""
    for index, item in enumerate(case["messages"]):
        try:
            got = read(index, bytes.fromhex(item["bytes"]))
        except DecodeError as error:
            if not item.get(REFUSED):
                yield f"message {index}", "no error", str(error)
            return
        if item.get(REFUSED):
            yield f"message {index}", "an error", got
            return
        yield from compare(index, item["message"], got)


def compare(index: int, expected: Json, got: Json) -> Found:
    """Compare two messages key by key."""
    for key in expected.keys() | got.keys():
        yield f"message {index} {key}", expected.get(key, "no such key"), got.get(key, "no such key")


def predictions(schemas: dict[str, Schema], case: Json) -> Found:
    """Predict motions and fields."""
    for index, [clock, value, n, predicted] in enumerate(case.get("clocks", ())):
        yield f"row {index}", predicted, predict_field(clock, value, n)
    if "rows" not in case:
        return
    hz, steps = case["tickHz"], case["worldStepsPerTick"]
    for index, [gravity, n, motion, predicted, [vx, vy], placed] in enumerate(case["rows"]):
        before = Motion(*motion)
        yield f"row {index} predicted", predicted, list(predict_motion(hz, steps, gravity, before, n))
        yield f"row {index} placed again", placed, list(place_again(hz, steps, gravity, before, n, vx, vy))


def checksums(schemas: dict[str, Schema], case: Json) -> Found:
    """Take hashes of words and checksums of bodies."""
    if "words" in case:
        yield "hash", case["hash"], hash_words(case["words"])
        return
    bodies = {
        body["entity"]: Body(
            body["entity"], body["tick"], 1, body["kind"], Motion(*body.get("motion") or ()), body.get("jumps") or 0,
            tuple(body["fields"]),
        )
        for body in case["bodies"]
    }
    yield "checksum", case["checksum"], checksum(schemas[case["game"]], bodies, case["tick"])


def clock(_schemas: dict[str, Schema], case: Json) -> Found:
    """Let a clock live through pings, pongs and advice."""
    own = Clock(case["tickHz"])
    tick_ms = 1000 / case["tickHz"]
    for index, event in enumerate(case["events"]):
        now = event["at"]
        if "ping" in event:
            own.ping(event["ping"], now)
        elif "pong" in event:
            pong = event["pong"]
            own.pong(pong["id"], pong["clock"] / 1024, pong["held"] / 1024 * tick_ms, now)
        elif "start" in event:
            own.start(now)
            yield from compare_floats(index, event["start"], {"firstLead": own.lead, "head": own.head})
        elif "advice" in event:
            own.advise(event["advice"] / 4, now)
        elif "advance" in event:
            own.advance(now)
            yield from compare_floats(index, event["advance"], {"head": own.head, "lead": own.lead})


def compare_floats(index: int, expected: dict[str, float], got: dict[str, float]) -> Found:
    """Compare numbers that may differ by 1/1000."""
    for key, value in expected.items():
        yield f"event {index} {key}", value, value if abs(got[key] - value) <= 0.001 else got[key]


def snapshots(schemas: dict[str, Schema], case: Json) -> Found:
    """Read snapshots."""
    data = unpack(bytes.fromhex(case["bytes"]), case["length"], bool(case["deflated"]))
    got = snapshot_to_json(read_snapshot(schemas[case["game"]], data))
    yield from ((key, case[key], value) for key, value in got.items())


CHECKS: dict[str, Callable[[dict[str, Schema], Json], Found]] = {
    "coder.json": coder,
    "client_messages.json": client_messages,
    "server_messages.json": server_messages,
    "predictions.json": predictions,
    "checksums.json": checksums,
    "clock.json": clock,
    "snapshots.json": snapshots,
}


def check_file(path: Path, schemas: dict[str, Schema]) -> int:
    """Check one file, print its line and its first differences, and return how many differ."""
    checked = differ = 0
    for number, case in enumerate(load(path)):
        checked += max(len(case[part]) for part in PARTS if part in case) if case.keys() & PARTS else 1
        for what, expected, got in differences(CHECKS[path.name](schemas, case)):
            differ += 1
            if differ <= SHOWN:
                print(f"{path.name}: case {number}, {what}: expected {expected!r:.300}, got {got!r:.300}")
    print(f"{path.name}: {checked} {'messages' if 'messages' in path.name else 'items'}, {differ} differ")
    return differ


def differences(found: Found) -> Found:
    """Give what differs; an error while decoding is a difference, too."""
    try:
        yield from (item for item in found if item[1] != item[2])
    except DecodeError as error:
        yield "decoding", "no error", str(error)


def load(path: Path) -> list[Json]:
    """Read the cases of a file of this protocol version."""
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["protocol"] != PROTOCOL:
        raise ValueError(f"{path.name} is of version {data['protocol']}, this client of version {PROTOCOL}")
    cases: list[Json] = data["cases"]
    return cases


def main() -> int:
    """Check all files of a folder."""
    if len(sys.argv) != 2:
        print("usage: python3 check_vectors.py DIR", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    schemas = {schema.id: schema for schema in map(read_schema, load(folder / "games.json"))}
    return 1 if sum([check_file(folder / name, schemas) for name in CHECKS]) else 0


if __name__ == "__main__":
    sys.exit(main())
