/**
 * The messages up. A command message is told by what it differs from the one before: the next tick, a tick more received, nearly
 * the same lead, mostly the same command. A datagram stands for itself; each of its commands is told by the one after it.
 *
 *     hello:            3 bytes that never change their meaning (kind, version), the rest coded
 *     everything else:  coded
 */
import { type Coder, CodeReader, CodeWriter, WireError } from "./range_coder.ts";
import type { Codec, Tick } from "../game.ts";
import {
  type BodyStreamRequest,
  checkedTick,
  CLIENT_MESSAGE_BYTES_MAX,
  type ClientDatagram,
  type ClientMessage,
  codeToken,
  type CommandMessage,
  DATAGRAM_TICKS_MAX,
  dequantizeLead,
  GAME_ID_BYTES_MAX,
  type Hello,
  LEAD_BITS,
  NAME_BYTES_MAX,
  type Ping,
  PROTOCOL_VERSION,
  quantizeLead,
  type Report,
  ROOM_BYTES_MAX,
} from "./messages.ts";
import { codePiggybackedPing, codePingId } from "./ping_codec.ts";
import { codeChange } from "./announcement_codec.ts";
import {
  P_BODIES_ACK_IS_RECEIVED,
  P_COMMAND,
  P_COMMAND_NEXT_TICK,
  P_LEAD_UNCHANGED,
  P_PING,
  P_PLAYER_UNCHANGED,
  P_RECEIVED_NEXT_TICK,
  P_STATE_REQUEST,
  P_STATUS,
  P_STATUS_AGAIN,
} from "./probabilities.ts";

/** Hello's first bytes, in every version since the first: two bits 0, the version in sixteen, the rest is the version's own. */
const HELLO_BYTES = 3;
const VERSION_SHIFT = 2;

/** What the last command message on a link has said, and what it is taken to have said before the first. */
interface CommandFields<Command> {
  readonly tick: Tick;
  readonly received: Tick;
  readonly leadMs: number;
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
  readonly ping?: number | undefined;
  readonly command: Command;
}

/** @returns the message's bytes, valid until `into` is used again */
export function encodeHello(hello: Hello, into: CodeWriter): Uint8Array {
  const head = hello.protocolVersion << VERSION_SHIFT;
  into.reset(Uint8Array.of(head, head >> 8, head >> 16));
  codeHello(hello, into);
  return into.finish();
}

/** @throws WireError for bytes that are no hello */
export function decodeHello(bytes: Uint8Array): Hello {
  const hello: Hello = {
    type: "hello",
    protocolVersion: 0,
    gameId: "",
    room: "",
    name: "",
    spectate: false,
    bodyStreamMode: "no",
    resume: undefined,
  };
  if (bytes.length < HELLO_BYTES || (bytes[0]! & 3) !== 0) throw new WireError("the first message is no hello");
  const protocolVersion = ((bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16)) >> VERSION_SHIFT) & 0xffff;
  // Another version's hello may go on differently: it is answered by its number alone.
  if (protocolVersion !== PROTOCOL_VERSION) return { ...hello, protocolVersion };
  const reader = new CodeReader(bytes, HELLO_BYTES);
  const read = codeHello({ ...hello, protocolVersion }, reader);
  reader.end();
  return read;
}

function codeHello(hello: Hello, coder: Coder): Hello {
  return {
    type: "hello",
    protocolVersion: hello.protocolVersion,
    gameId: coder.text(hello.gameId, GAME_ID_BYTES_MAX),
    room: coder.text(hello.room, ROOM_BYTES_MAX),
    name: coder.text(hello.name, NAME_BYTES_MAX),
    spectate: coder.flag(hello.spectate),
    bodyStreamMode: codeBodyStreamMode(hello.bodyStreamMode, coder),
    resume: coder.flag(hello.resume !== undefined) ? codeToken(hello.resume ?? "0", coder) : undefined,
  };
}

function codeBodyStreamMode(mode: Hello["bodyStreamMode"], coder: Coder): Hello["bodyStreamMode"] {
  if (!coder.flag(mode !== "no")) return "no";
  return coder.flag(mode === "chosen") ? "chosen" : "able";
}

/** One message up after the hello, on an ordered link. */
export function codeClientMessage<Command>(
  message: Exclude<ClientMessage<Command>, Hello>,
  { last, codec, coder }: { last: CommandFields<Command>; codec: Codec<Command>; coder: Coder },
): Exclude<ClientMessage<Command>, Hello> {
  coder.part = "kind";
  if (coder.flag(message.type === "command", P_COMMAND)) {
    return codeCommand(message.type === "command" ? message : last, { last, codec, coder });
  }
  if (coder.flag(message.type === "ping", P_PING)) return codePing(message.type === "ping" ? message.id : 0, coder);
  const { received, bodyStreamRequest } = message.type === "report" ? message : { received: 0 } as Report;
  const read = checkedTick(coder.varint(received));
  if (!coder.flag(bodyStreamRequest !== undefined)) return { type: "report", received: read };
  return { type: "report", received: read, bodyStreamRequest: codeBodyStreamRequest(bodyStreamRequest, coder) };
}

function codeBodyStreamRequest(request: BodyStreamRequest | undefined, coder: Coder): BodyStreamRequest {
  return coder.flag(request === "state", P_STATE_REQUEST) ? "state" : "bodies";
}

/** How a client stands to the definitive state. */
interface SyncStatus {
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
}

/** @param p that it is not simply in step */
function codeSyncStatus({ isDesynced, bodyStreamRequest }: SyncStatus, p: number, coder: Coder): SyncStatus {
  if (!coder.flag(isDesynced || bodyStreamRequest !== undefined, p)) return { isDesynced: false };
  if (coder.flag(bodyStreamRequest !== undefined)) {
    return { isDesynced: false, bodyStreamRequest: codeBodyStreamRequest(bodyStreamRequest, coder) };
  }
  return { isDesynced: true };
}

function codePing(id: number, coder: Coder): Ping {
  return { type: "ping", id: codePingId(id, coder) };
}

function codeCommand<Command>(
  message: CommandFields<Command>,
  { last, codec, coder }: { last: CommandFields<Command>; codec: Codec<Command>; coder: Coder },
): CommandMessage<Command> {
  coder.part = "tick";
  const tick = checkedTick(coder.near(message.tick, { likely: last.tick + 1, p: P_COMMAND_NEXT_TICK }));
  coder.part = "received";
  const received = checkedTick(coder.near(message.received, { likely: last.received + 1, p: P_RECEIVED_NEXT_TICK }));
  coder.part = "lead";
  const quarters = coder.near(quantizeLead(message.leadMs), { likely: quantizeLead(last.leadMs), p: P_LEAD_UNCHANGED });
  coder.part = "command";
  const hadStatus = last.isDesynced || last.bodyStreamRequest !== undefined;
  const { isDesynced, bodyStreamRequest } = codeSyncStatus(message, hadStatus ? P_STATUS_AGAIN : P_STATUS, coder);
  const command = codeChange(message.command, { codec, coder, reference: last.command, p: P_PLAYER_UNCHANGED });
  const ping = codePiggybackedPing(message.ping, coder);
  // Written out: to spread one object into another takes longer than all the rest.
  const plain = { type: "command", tick, received, leadMs: dequantizeLead(quarters), isDesynced, command } as const;
  if (bodyStreamRequest === undefined && ping === undefined) return plain;
  return {
    ...plain,
    ...(bodyStreamRequest !== undefined && { bodyStreamRequest }),
    ...(ping !== undefined && { ping }),
  };
}

/** What travels up by datagram. @param count of the newest commands; those before them are left out */
function codeClientDatagram<Command>(
  message: ClientDatagram<Command>,
  { count, codec, coder }: { count: number; codec: Codec<Command>; coder: Coder },
): ClientDatagram<Command> {
  if (!coder.flag(message.type === "commands", P_COMMAND)) {
    return codePing(message.type === "ping" ? message.id : 0, coder);
  }
  const given = message.type === "commands" ? message : undefined;
  const received = checkedTick(coder.varint(given?.received ?? 0));
  const syncStatus = codeSyncStatus(given ?? { isDesynced: false }, P_STATUS, coder);
  const expected = { likely: received, p: P_BODIES_ACK_IS_RECEIVED };
  const bodiesAck = syncStatus.bodyStreamRequest === undefined
    ? {}
    : { bodiesAck: checkedTick(coder.near(given?.bodiesAck ?? 0, expected)) };
  const leadMs = dequantizeLead(coder.bits(quantizeLead(given?.leadMs ?? 0), LEAD_BITS));
  const tick = checkedTick(received + coder.signedVarint((given?.tick ?? 0) - (given?.received ?? 0)));
  const codedCount = coder.varint(count);
  if (codedCount > DATAGRAM_TICKS_MAX) throw new WireError(`${codedCount} commands; ${DATAGRAM_TICKS_MAX} are allowed`);
  if (tick - codedCount < -1) throw new WireError("a command for a tick before the first");
  const commands: Command[] = [];
  for (let i = 0; i < codedCount; i++) {
    const reference = commands.at(-1) ?? codec.neutral;
    const command = given?.commands[i] ?? codec.neutral;
    commands.push(codeChange(command, { codec, coder, reference, p: P_PLAYER_UNCHANGED }));
  }
  const { isDesynced, bodyStreamRequest } = syncStatus;
  // As nearly all are; what is spread has its keys looked up.
  if (bodyStreamRequest === undefined) return { type: "commands", received, isDesynced, leadMs, tick, commands };
  return { type: "commands", received, isDesynced, bodyStreamRequest, ...bodiesAck, leadMs, tick, commands };
}

/** One link's last command: a copy, so that no message outlives its coding for it. */
class LastCommand<Command> implements CommandFields<Command> {
  tick: Tick = 0;
  received: Tick = 0;
  leadMs = 0;
  isDesynced = false;
  bodyStreamRequest: BodyStreamRequest | undefined = undefined;
  command: Command;

  constructor({ neutral }: Codec<Command>) {
    this.command = neutral;
  }

  copyFrom({ tick, received, leadMs, isDesynced, bodyStreamRequest, command }: CommandMessage<Command>): void {
    this.tick = tick;
    this.received = received;
    this.leadMs = leadMs;
    this.isDesynced = isDesynced;
    this.bodyStreamRequest = bodyStreamRequest;
    this.command = command;
  }
}

/** One link's messages up, on their way out. */
export class ClientMessageEncoder<Command> {
  readonly #codec: Codec<Command>;
  readonly #ordered: boolean;
  readonly #writer = new CodeWriter();
  readonly #lastCommand: LastCommand<Command>;

  constructor(codec: Codec<Command>, { ordered }: { ordered: boolean }) {
    this.#codec = codec;
    this.#ordered = ordered;
    this.#lastCommand = new LastCommand(codec);
  }

  /**
   * Of more commands than one datagram holds the oldest are left out: the likeliest to be too late.
   * @returns the message's bytes, valid until the next call
   */
  encode(message: ClientMessage<Command> | ClientDatagram<Command>): Uint8Array {
    const coder = this.#writer, codec = this.#codec;
    if (message.type === "hello") return encodeHello(message, coder);
    if (!this.#ordered) return this.#encodeDatagram(message as ClientDatagram<Command>);
    if (message.type === "commands") throw new RangeError("a datagram's message on an ordered link");
    coder.reset();
    codeClientMessage(message, { last: this.#lastCommand, codec, coder });
    // As the other end has read it: the lead is rounded.
    if (message.type === "command") this.#lastCommand.copyFrom(message);
    return coder.finish();
  }

  #encodeDatagram(message: ClientDatagram<Command>): Uint8Array {
    const coder = this.#writer, codec = this.#codec;
    const all = message.type === "commands" ? message.commands.length : 0;
    for (let count = Math.min(all, DATAGRAM_TICKS_MAX);; count >>= 1) {
      coder.reset();
      codeClientDatagram(message, { count, codec, coder });
      const bytes = coder.finish();
      if (bytes.length <= CLIENT_MESSAGE_BYTES_MAX || count <= 1) return bytes;
    }
  }
}

/** One link's messages up after the hello, as they come. */
export class ClientMessageDecoder<Command> {
  readonly #codec: Codec<Command>;
  readonly #ordered: boolean;
  readonly #lastCommand: LastCommand<Command>;

  constructor(codec: Codec<Command>, { ordered }: { ordered: boolean }) {
    this.#codec = codec;
    this.#ordered = ordered;
    this.#lastCommand = new LastCommand(codec);
  }

  /** @throws WireError for bytes that are no message up */
  decode(bytes: Uint8Array): Exclude<ClientMessage<Command>, Hello> | ClientDatagram<Command> {
    const coder = new CodeReader(bytes), codec = this.#codec, last = this.#lastCommand;
    const unread = { type: "ping", id: 0 } as const;
    const message = this.#ordered
      ? codeClientMessage(unread as Ping, { last, codec, coder })
      : codeClientDatagram(unread as ClientDatagram<Command>, { count: 0, codec, coder });
    coder.end();
    if (message.type === "command") last.copyFrom(message);
    return message;
  }
}
