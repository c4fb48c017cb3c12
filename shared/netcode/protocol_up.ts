/** The messages up, bit by bit, on ordered links and as datagrams. */
import { BitReader, type BitWriter, WireError } from "./bytes.ts";
import type { Codec } from "./game.ts";
import {
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
  GAME_ID_BYTES_MAX,
  type Hello,
  KIND_BITS,
  MESSAGE_UP_BYTES_MAX,
  NAME_BYTES_MAX,
  PROTOCOL_VERSION,
  readLead,
  readToken,
  ROOM_BYTES_MAX,
  UP_DATAGRAM_KINDS,
  UP_KINDS,
  type UpDatagram,
  type UpMessage,
  writeLead,
  writeToken,
} from "./protocol.ts";

/** @returns the message's bytes, valid until `into` is used again */
export function encodeUp<Command>(message: UpMessage<Command>, codec: Codec<Command>, into: BitWriter): Uint8Array {
  into.reset();
  into.bits(UP_KINDS[message.kind], KIND_BITS);
  switch (message.kind) {
    case "hello":
      into.bits(message.protocolVersion, 16);
      into.text(message.gameId);
      into.text(message.room);
      into.text(message.name);
      into.flag(message.watch);
      into.flag(message.resume !== undefined);
      if (message.resume !== undefined) writeToken(message.resume, into);
      break;
    case "ping":
      into.bits(message.id, 8);
      break;
    case "command":
      into.varint(message.tick);
      into.signedVarint(message.tick - message.received);
      writeLead(message.leadMs, into);
      into.flag(message.outOfStep);
      codec.encode(message.command, into);
      break;
    case "report":
      into.varint(message.received);
  }
  return into.bytes();
}

/** @throws WireError for bytes that are no message up */
export function decodeUp<Command>(bytes: Uint8Array, codec: Codec<Command>): UpMessage<Command> {
  const from = new BitReader(bytes);
  const message = readUp(from, codec);
  from.end();
  return message;
}

function readUp<Command>(from: BitReader, codec: Codec<Command>): UpMessage<Command> {
  switch (from.bits(KIND_BITS)) {
    case UP_KINDS.hello: {
      const protocolVersion = from.bits(16);
      // Another version's hello may go on differently: it is answered by its number alone.
      if (protocolVersion !== PROTOCOL_VERSION) return otherVersion(from, protocolVersion);
      const gameId = from.text(GAME_ID_BYTES_MAX);
      const room = from.text(ROOM_BYTES_MAX);
      const name = from.text(NAME_BYTES_MAX);
      const watch = from.flag();
      return {
        kind: "hello",
        protocolVersion,
        gameId,
        room,
        name,
        watch,
        resume: from.flag() ? readToken(from) : undefined,
      };
    }
    case UP_KINDS.ping:
      return { kind: "ping", id: from.bits(8) };
    case UP_KINDS.command: {
      const tick = from.varint();
      const received = tick - from.signedVarint();
      const leadMs = readLead(from);
      const outOfStep = from.flag();
      return { kind: "command", tick, received, leadMs, outOfStep, command: codec.decode(from) };
    }
    default:
      return { kind: "report", received: from.varint() };
  }
}

function otherVersion(from: BitReader, protocolVersion: number): Hello {
  from.skipAll();
  return { kind: "hello", protocolVersion, gameId: "", room: "", name: "", watch: false, resume: undefined };
}

/**
 * The datagram up. Of more commands than one datagram holds the oldest are left out: the likeliest to be too late.
 * @returns the datagram's bytes, valid until `into` is used again
 */
export function encodeCommands<Command>(
  message: CommandsMessage<Command>,
  codec: Codec<Command>,
  into: BitWriter,
): Uint8Array {
  for (let count = Math.min(message.commands.length, DATAGRAM_TICKS_MAX);; count >>= 1) {
    writeCommands(message, { codec, count, into });
    const bytes = into.bytes();
    if (bytes.length <= MESSAGE_UP_BYTES_MAX || count <= 1) return bytes;
  }
}

function writeCommands<Command>(
  { received, outOfStep, leadMs, tick, commands }: CommandsMessage<Command>,
  { codec, count, into }: { codec: Codec<Command>; count: number; into: BitWriter },
): void {
  into.reset();
  into.bits(UP_DATAGRAM_KINDS.commands, KIND_BITS);
  into.varint(received);
  into.flag(outOfStep);
  writeLead(leadMs, into);
  into.signedVarint(tick - received);
  into.varint(count);
  for (let i = 0; i < count; i++) codec.encode(commands[i]!, into);
}

/** @throws WireError for bytes that are no datagram up */
export function decodeUpDatagram<Command>(bytes: Uint8Array, codec: Codec<Command>): UpDatagram<Command> {
  const from = new BitReader(bytes);
  const message = readUpDatagram(from, codec);
  from.end();
  return message;
}

function readUpDatagram<Command>(from: BitReader, codec: Codec<Command>): UpDatagram<Command> {
  const kind = from.bits(KIND_BITS);
  if (kind === UP_DATAGRAM_KINDS.ping) return { kind: "ping", id: from.bits(8) };
  if (kind !== UP_DATAGRAM_KINDS.commands) throw new WireError("a kind of datagram that does not exist");
  const received = from.varint();
  const outOfStep = from.flag();
  const leadMs = readLead(from);
  const tick = received + from.signedVarint();
  const count = from.varint();
  if (count > DATAGRAM_TICKS_MAX) throw new WireError(`${count} commands; ${DATAGRAM_TICKS_MAX} are allowed`);
  if (tick - count < -1) throw new WireError("a command for a tick before the first");
  const commands: Command[] = [];
  for (let i = 0; i < count; i++) commands.push(codec.decode(from));
  return { kind: "commands", received, outOfStep, leadMs, tick, commands };
}
