/**
 * The messages from the client (WIRE 6, 10). On a reliable link a command message is delta-coded
 * against the one before, because it is mostly for the next tick, one more tick was received, and
 * lead and command are unchanged. `client_datagram.ts` codes the datagrams.
 *
 *     hello          3 bytes that keep their meaning in all versions (type, version), then coded fields
 *     all others     coded
 */
import { type Coder, CodeReader, CodeWriter, WireError } from "./range_coder.ts";
import type { Codec, Tick } from "../game.ts";
import type { Link } from "../link.ts";
import { PROOF_TICKS, type TickProof } from "../proof.ts";
import {
  type Arrivals,
  type BodyStreamRequest,
  checkedTick,
  CLIENT_MESSAGE_BYTES_MAX,
  type ClientDatagram,
  type ClientMessage,
  codeChoices,
  codeToken,
  type CommandMessage,
  DATAGRAM_TICKS_MAX,
  dequantizeLead,
  GAME_ID_BYTES_MAX,
  type Hello,
  NAME_BYTES_MAX,
  type Ping,
  type Proof,
  PROTOCOL_VERSION,
  quantizeLead,
  type Report,
  ROOM_BYTES_MAX,
} from "./messages.ts";
import { codePiggybackedPing, codePingId } from "./ping_codec.ts";
import { codeChange } from "./announcement_codec.ts";
import { codeClientDatagram } from "./uplink/client_datagram.ts";
import { DatagramHistory } from "./uplink/datagram_history.ts";
import { codeBodyStreamRequest, codeSyncStatus } from "./uplink/sync_status_codec.ts";
import {
  P_BACK,
  P_COMMAND,
  P_COMMAND_NEXT_TICK,
  P_LEAD_UNCHANGED,
  P_PING,
  P_PLAYER_UNCHANGED,
  P_PROOF,
  P_RECEIVED_NEXT_TICK,
  P_STATUS,
  P_STATUS_AGAIN,
} from "./probabilities.ts";

/**
 * The first bytes of a hello, in every version: two bits 0, the version in 16 bits, and 6 bits that
 * each version defines.
 */
const HELLO_BYTES = 3;
const VERSION_SHIFT = 2;

/** The fields in a command message that the next one is delta-coded against. */
interface CommandFields<Command> {
  readonly tick: Tick;
  readonly received: Tick;
  readonly leadMs: number;
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
  readonly ping?: number | undefined;
  readonly command: Command;
}

/** Writes a hello. @returns the message, valid until `into` is used again */
export function encodeHello(hello: Hello, into: CodeWriter): Uint8Array {
  const head = hello.protocolVersion << VERSION_SHIFT;
  into.reset(Uint8Array.of(head, head >> 8, head >> 16));
  codeHello(hello, into);
  return into.finish();
}

/**
 * Reads a hello; from another version's hello, only the version.
 * @throws WireError if the bytes are not a hello
 */
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
    choices: [],
  };

  if (bytes.length < HELLO_BYTES || (bytes[0]! & 3) !== 0) {
    throw new WireError("the first message is no hello");
  }

  const protocolVersion = ((bytes[0]! | (bytes[1]! << 8) | (bytes[2]! << 16)) >> VERSION_SHIFT) &
    0xffff;

  // Another version may define other fields. The server needs only its number to refuse it.
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
    resume: coder.flag(hello.resume !== undefined)
      ? codeToken(hello.resume ?? "0", coder)
      : undefined,
    choices: codeChoices(hello.choices, coder),
  };
}

function codeBodyStreamMode(mode: Hello["bodyStreamMode"], coder: Coder): Hello["bodyStreamMode"] {
  if (!coder.flag(mode !== "no")) return "no";
  return coder.flag(mode === "chosen") ? "chosen" : "able";
}

/**
 * Codes a message that follows the hello on a reliable link.
 * @param context.last the last command message
 */
export function codeClientMessage<Command>(
  message: Exclude<ClientMessage<Command>, Hello>,
  { last, codec, coder }: { last: CommandFields<Command>; codec: Codec<Command>; coder: Coder },
): Exclude<ClientMessage<Command>, Hello> {
  coder.part = "kind";
  if (coder.flag(message.type === "command", P_COMMAND)) {
    return codeCommand(message.type === "command" ? message : last, { last, codec, coder });
  }
  if (coder.flag(message.type === "ping", P_PING)) {
    return codePing(message.type === "ping" ? message.id : 0, coder);
  }
  const isProof = coder.flag(message.type === "proof", P_PROOF);
  if (isProof) return codeProof(message.type === "proof" ? message : NO_PROOF, coder);
  const isBack = coder.flag(message.type === "back", P_BACK);
  const isGiven = message.type === "report" || message.type === "back";
  const { received, bodyStreamRequest }: Omit<Report, "type"> = isGiven ? message : { received: 0 };
  const read = checkedTick(coder.varint(received));
  if (isBack) return { type: "back", received: read };
  if (!coder.flag(bodyStreamRequest !== undefined)) return { type: "report", received: read };
  return {
    type: "report",
    received: read,
    bodyStreamRequest: codeBodyStreamRequest(bodyStreamRequest, coder),
  };
}

const NO_PROOF: TickProof = { tick: 0, proof: 0 };

/** Codes a proof. @throws WireError for a tick that ends none */
function codeProof({ tick, proof }: TickProof, coder: Coder): Proof {
  const blocks = coder.varint(tick / PROOF_TICKS);
  return {
    type: "proof",
    tick: checkedTick(blocks * PROOF_TICKS),
    proof: coder.bits(proof, 32),
  };
}

function codePing(id: number, coder: Coder): Ping {
  return { type: "ping", id: codePingId(id, coder) };
}

function codeCommand<Command>(
  message: CommandFields<Command>,
  { last, codec, coder }: { last: CommandFields<Command>; codec: Codec<Command>; coder: Coder },
): CommandMessage<Command> {
  // The command's tick, the newest received tick, and the lead
  coder.part = "tick";
  const tick = checkedTick(
    coder.near(message.tick, { likely: last.tick + 1, p: P_COMMAND_NEXT_TICK }),
  );
  coder.part = "received";
  const received = checkedTick(
    coder.near(message.received, { likely: last.received + 1, p: P_RECEIVED_NEXT_TICK }),
  );
  coder.part = "lead";
  const quarters = coder.near(quantizeLead(message.leadMs), {
    likely: quantizeLead(last.leadMs),
    p: P_LEAD_UNCHANGED,
  });

  // What the player does, and what else rides along
  coder.part = "command";
  const hadStatus = last.isDesynced || last.bodyStreamRequest !== undefined;
  const { isDesynced, bodyStreamRequest } = codeSyncStatus(
    message,
    hadStatus ? P_STATUS_AGAIN : P_STATUS,
    coder,
  );
  const command = codeChange(message.command, {
    codec,
    coder,
    reference: last.command,
    p: P_PLAYER_UNCHANGED,
  });
  const ping = codePiggybackedPing(message.ping, coder);

  // Not a spread, which would take longer than all the rest.
  const plain = {
    type: "command",
    tick,
    received,
    leadMs: dequantizeLead(quarters),
    isDesynced,
    command,
  } as const;
  if (bodyStreamRequest === undefined && ping === undefined) return plain;
  return {
    ...plain,
    ...(bodyStreamRequest !== undefined && { bodyStreamRequest }),
    ...(ping !== undefined && { ping }),
  };
}

/**
 * Copies the fields of one link's last command message, so that the message itself can be
 * collected.
 */
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

  copyFrom(
    { tick, received, leadMs, isDesynced, bodyStreamRequest, command }: CommandMessage<Command>,
  ): void {
    this.tick = tick;
    this.received = received;
    this.leadMs = leadMs;
    this.isDesynced = isDesynced;
    this.bodyStreamRequest = bodyStreamRequest;
    this.command = command;
  }
}

/** The client's encoder for the reliable channel of one link. */
export class ReliableEncoder<Command> {
  readonly #codec: Codec<Command>;
  readonly #writer = new CodeWriter();
  readonly #lastCommand: LastCommand<Command>;

  constructor(codec: Codec<Command>) {
    this.#codec = codec;
    this.#lastCommand = new LastCommand(codec);
  }

  /**
   * @returns the message, valid until the next call
   * @throws RangeError for a message that belongs in a datagram
   */
  encode(message: ClientMessage<Command> | ClientDatagram<Command>): Uint8Array {
    const coder = this.#writer;
    const codec = this.#codec;
    if (message.type === "hello") return encodeHello(message, coder);
    if (message.type === "commands") throw new RangeError("commands by a socket");
    coder.reset();
    codeClientMessage(message, { last: this.#lastCommand, codec, coder });
    // The decoder keeps the rounded lead. `quantizeLead` gives the same number for both.
    if (message.type === "command") this.#lastCommand.copyFrom(message);
    return coder.finish();
  }
}

/**
 * The client's encoder for datagrams on one link, or on one path beside it; each path begins with a
 * new encoder.
 */
export class DatagramEncoder<Command> {
  readonly #codec: Codec<Command>;
  readonly #writer = new CodeWriter();
  readonly #history = new DatagramHistory<Command>();

  constructor(codec: Codec<Command>) {
    this.#codec = codec;
  }

  /**
   * Leaves out the oldest commands if a datagram cannot hold all, because those are the most likely
   * to be too late.
   * @returns the message, valid until the next call
   * @throws RangeError if the reference was not sent
   */
  encode(message: ClientDatagram<Command>): Uint8Array {
    const history = this.#history;
    const coder = this.#writer;
    const codec = this.#codec;
    const all = message.type === "commands" ? message.commands.length : 0;
    for (let count = Math.min(all, DATAGRAM_TICKS_MAX), sent = message;; count >>= 1) {
      coder.reset();
      codeClientDatagram(sent, { count, history, codec, coder });
      const bytes = coder.finish();
      if (bytes.length <= CLIENT_MESSAGE_BYTES_MAX || count <= 1) {
        if (sent.type === "commands") {
          history.record({ ...sent, commands: sent.commands.slice(0, count) });
        }
        return bytes;
      }
      // A short one cannot leave anything out, so send a full one.
      if (sent.type === "commands") sent = { ...sent, reference: undefined };
    }
  }
}

/**
 * Both encoders for one link. A session keeps them apart instead, because pages load the second one
 * only when they need it.
 */
export class ClientMessageEncoder<Command> {
  readonly #link: Pick<Link, "ordered">;
  readonly #reliable: ReliableEncoder<Command>;
  readonly #datagrams: DatagramEncoder<Command>;

  constructor(codec: Codec<Command>, link: Pick<Link, "ordered">) {
    this.#link = link;
    this.#reliable = new ReliableEncoder(codec);
    this.#datagrams = new DatagramEncoder(codec);
  }

  /**
   * Encodes a message for the channel that `Link.send` takes now; some always go reliably.
   * @returns the message, valid until the next call
   * @throws RangeError for a message that belongs in a datagram, on a reliable link
   */
  encode(message: ClientMessage<Command> | ClientDatagram<Command>): Uint8Array {
    const isReliable = this.#link.ordered || isAlwaysReliable(message.type);
    return isReliable
      ? this.#reliable.encode(message)
      : this.#datagrams.encode(message as ClientDatagram<Command>);
  }
}

/** Whether a type of message goes by the reliable channel even beside a datagram path. */
export function isAlwaysReliable(type: ClientMessage<unknown>["type"] | "commands"): boolean {
  return type === "hello" || type === "back" || type === "proof";
}

/** The value that readers pass. */
const UNREAD: Ping = { type: "ping", id: 0 };

/** The server's decoder for one link, for all messages after the hello. */
export class ClientMessageDecoder<Command> {
  readonly #codec: Codec<Command>;
  readonly #link: Pick<Link, "ordered">;
  readonly #lastCommand: LastCommand<Command>;
  /** Undefined before the first datagram of the link, or of its newest path. */
  #history: DatagramHistory<Command> | undefined;

  constructor(codec: Codec<Command>, link: Pick<Link, "ordered">) {
    this.#codec = codec;
    this.#link = link;
    this.#lastCommand = new LastCommand(codec);
  }

  /**
   * Ends the datagram path: the next one begins with datagrams that do not refer to earlier ones.
   */
  endPath(): void {
    this.#history = undefined;
  }

  /**
   * Reports to the client which of its datagrams arrived.
   * @param tick the newest tick that the server ran
   */
  arrivals(tick: Tick): Arrivals | undefined {
    return this.#history?.arrivals(tick);
  }

  /**
   * @param reliably whether the message came by the reliable channel, even on a link that now has a
   * datagram path; by default as the link's `send` goes
   * @throws WireError if the bytes are not a client's message
   */
  decode(
    bytes: Uint8Array,
    reliably = this.#link.ordered,
  ): Exclude<ClientMessage<Command>, Hello> | ClientDatagram<Command> {
    const coder = new CodeReader(bytes);
    return reliably ? this.#decodeReliable(coder) : this.#decodeDatagram(coder);
  }

  #decodeReliable(coder: CodeReader): Exclude<ClientMessage<Command>, Hello> {
    const last = this.#lastCommand;
    const message = codeClientMessage<Command>(UNREAD, { last, codec: this.#codec, coder });
    coder.end();
    if (message.type === "command") last.copyFrom(message);
    return message;
  }

  #decodeDatagram(coder: CodeReader): ClientDatagram<Command> {
    const history = this.#history ??= new DatagramHistory();
    const message = codeClientDatagram<Command>(UNREAD, {
      count: 0,
      history,
      codec: this.#codec,
      coder,
    });
    const isWhole = message.type === "ping" || message.unreadCount === undefined;
    if (isWhole) coder.end();
    if (message.type === "commands") history.record(message);
    return message;
  }
}
