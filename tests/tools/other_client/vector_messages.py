"""Messages and snapshots as the JSON of the test vectors (WIRE.md section 13)."""

from typing import Any

from bodies import Bodies, Gone, Sent
from client_messages import Back, CommandMessage, CommandsDatagram, Hello, Ping, Proof, Report, Status
from commands import Command
from schema import Schema
from server_messages import (
    Announcement, Arrivals, Delta, Early, Notice, Offer, PiggybackedPong, Pong, Presence, Replaced, Resume, SeatState,
    Snapshot, State, Tick, Ticks, Welcome,
)
from snapshot import Contact, Content, Projectile, Solid

Json = dict[str, Any]
AnyClientMessage = Hello | Ping | CommandMessage | Report | Back | Proof | CommandsDatagram
AnyServerMessage = Welcome | Pong | Tick | State | Ticks | Early | Notice | Offer | Resume


def client_message_from_json(data: Json) -> AnyClientMessage:
    """Return the client's message that a vector describes."""
    match data["type"]:
        case "hello":
            return Hello(
                data["version"], data["game"], data["room"], data["name"], bool(data["spectator"]),
                data["bodyStream"], data["token"], tuple(data["choices"]),
            )
        case "ping":
            return Ping(data["id"])
        case "command":
            return CommandMessage(
                data["tick"], data["received"], data["lead"], Status(data["status"]), tuple(data["command"]),
                data["ping"],
            )
        case "back":
            return Back(data["received"])
        case "proof":
            return Proof(data["tick"], data["proof"])
        case "report":
            return Report(data["received"], Status(data["status"]))
        case "commands":
            return CommandsDatagram(
                data["received"], Status(data["status"]), data["bodiesReceived"], data["lead"], data["tick"],
                data["reference"], _commands_from(data["commands"]), data["count"],
            )
    raise ValueError(f"a client's message has the unknown type {data['type']}")


def client_message_to_json(message: AnyClientMessage) -> Json:
    """Describe a client's message."""
    match message:
        case Hello(version, game, room, name, spectator, body_stream, token, choices):
            return {
                "type": "hello", "version": version, "game": game, "room": room, "name": name,
                "spectator": spectator, "bodyStream": body_stream, "token": token, "choices": list(choices),
            }
        case Ping(number):
            return {"type": "ping", "id": number}
        case CommandMessage(tick, received, lead, status, command, ping):
            return {
                "type": "command", "tick": tick, "received": received, "lead": lead, "status": status.value,
                "command": list(command), "ping": ping,
            }
        case Back(received):
            return {"type": "back", "received": received}
        case Proof(tick, proof):
            return {"type": "proof", "tick": tick, "proof": proof}
        case Report(received, status):
            return {"type": "report", "received": received, "status": status.value}
        case CommandsDatagram(received, status, bodies_received, lead, tick, reference, commands, count):
            return {
                "type": "commands", "received": received, "status": status.value, "bodiesReceived": bodies_received,
                "lead": lead, "tick": tick, "reference": reference,
                "commands": "unread" if commands is None else [list(command) for command in commands], "count": count,
            }


def _commands_from(data: Any) -> tuple[Command, ...] | None:
    return None if data == "unread" else tuple(tuple(command) for command in data)


def server_message_to_json(schema: Schema, message: AnyServerMessage) -> Json:
    """Describe a message from the server."""
    match message:
        case Welcome(seat, resumed, token, npcs, seed, choices, ordered):
            return {
                "type": "welcome", "seat": seat, "resumed": int(resumed), "token": token, "npcs": npcs, "seed": seed,
                "choices": list(choices), "ordered": int(ordered),
            }
        case Pong(number, clock):
            return {"type": "pong", "id": number, "clock": clock}
        case Tick(tick, delta, advice, pong, bodies):
            return {
                "type": "tick", "tick": tick, **_delta(delta), "slack": advice.slack, "advisedLead": advice.lead,
                "pong": _pong(pong), "bodies": _bodies(schema, bodies),
            }
        case State(tick, delta, seats, replaced, advice, snapshot, bodies):
            return {
                "type": "state", "tick": tick, **_delta(delta), "seats": [_seat(seat) for seat in seats],
                "replaced": [_replaced(seat) for seat in replaced], "slack": advice.slack,
                "advisedLead": advice.lead, "snapshot": _snapshot(snapshot), "bodies": _bodies(schema, bodies),
            }
        case Early(announcements):
            return {"type": "early", "announcements": [_announcement(each) for each in announcements]}
        case Notice(text):
            return {"type": "notice", "text": text}
        case Offer(port, token, certificate_hash):
            return {"type": "offer", "port": port, "token": token, "hash": certificate_hash}
        case Resume(tick, newest, advice):
            return {
                "type": "resume", "tick": tick, "newest": [_announcement(each) for each in newest],
                "slack": advice.slack, "advisedLead": advice.lead,
            }
        case Ticks(newest, deltas, advice, arrivals, base, bodies, unread):
            return {
                "type": "ticks", "newest": newest, "ticks": [_delta(delta) for delta in deltas],
                "slack": advice.slack, "advisedLead": advice.lead, "arrivals": _arrivals(arrivals), "base": base,
                "bodies": "unread" if unread else _bodies(schema, bodies),
            }


def _arrivals(arrivals: Arrivals | None) -> Json | None:
    if arrivals is None:
        return None
    return {"newest": arrivals.newest, "counts": arrivals.counts, "read": [int(read) for read in arrivals.read]}


def _delta(delta: Delta) -> Json:
    return {
        "hash": delta.hash,
        "presence": [_presence(change) for change in delta.presence],
        "announcements": [_announcement(announcement) for announcement in delta.announcements],
    }


def _presence(change: Presence) -> list[Any]:
    return [change.seat, change.tick, int(change.present), change.name]


def _announcement(announcement: Announcement) -> list[Any]:
    return [announcement.seat, announcement.tick, list(announcement.command)]


def _seat(seat: SeatState) -> list[Any]:
    return [seat.seat, seat.name, seat.age, _command(seat.command)]


def _replaced(replaced: Replaced) -> list[Any]:
    return [replaced.seat, replaced.tick, _command(replaced.command)]


def _command(command: Command | None) -> list[int] | None:
    return None if command is None else list(command)


def _pong(pong: PiggybackedPong | None) -> Json | None:
    return None if pong is None else {"id": pong.id, "clock": pong.clock, "held": pong.held}


def _snapshot(snapshot: Snapshot | None) -> Json | None:
    if snapshot is None:
        return None
    return {"length": snapshot.length, "deflated": int(snapshot.deflated), "bytes": snapshot.packed.hex()}


def _bodies(schema: Schema, bodies: Bodies | None) -> Json | None:
    if bodies is None:
        return None
    sent = [_sent(schema, body) for body in bodies.sent]
    return {
        "sent": sent, "known": len(bodies.known), "nextId": bodies.known.next_id, "checksum": bodies.checksum,
    }


def _sent(schema: Schema, sent: Sent | Gone) -> Json:
    """Describe one body of a message; a kind that does not move has fields alone."""
    if isinstance(sent, Gone):
        return {"entity": sent.entity, "gone": True}
    body = sent.body
    if sent.as_predicted:
        return {"entity": body.entity, "asPredicted": True}
    moving = {"motion": list(body.motion), "jumps": body.jumps} if schema.kinds[body.kind].moves else {}
    return {"entity": body.entity, "kind": body.kind, **moving, "fields": list(body.fields)}


def snapshot_to_json(content: Content) -> Json:
    """Describe what a snapshot says."""
    return {
        "hash": content.hash, "tick": content.tick, "nextId": content.next_id, "fields": list(content.fields),
        "entities": [_entity(entity) for entity in content.entities],
        "contacts": [_contact(contact) for contact in content.contacts],
    }


def _entity(entity: Solid | Projectile) -> Json:
    common = {
        "id": entity.id, "kind": entity.kind, "jumps": entity.jumps, "motion": list(entity.motion),
        "fields": list(entity.fields),
    }
    if isinstance(entity, Projectile):
        return {**common, "age": entity.age, "bounces": entity.bounces}
    return {**common, "awake": int(entity.awake), "rest": entity.rest}


def _contact(contact: Contact) -> Json:
    return {
        "entities": [contact.entity_a, contact.entity_b],
        "fixtures": [contact.fixture_a, contact.fixture_b],
        "type": contact.type,
        "passed": int(contact.one_way_passed),
        "normal": contact.normal and list(contact.normal),
        "reference": contact.reference and list(contact.reference),
        "points": [
            [point.x, point.y, point.normal_impulse, point.tangent_impulse, point.features]
            for point in contact.points
        ],
    }
