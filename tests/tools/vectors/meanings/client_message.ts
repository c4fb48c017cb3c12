/** The client's messages as WIRE 13 has them, and both ends of one connection that convert them. */
import { CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";
import {
  ClientMessageDecoder,
  ClientMessageEncoder,
  decodeHello,
  encodeHello,
} from "../../../../shared/netcode/wire/client_messages.ts";
import {
  type BodyStreamRequest,
  type ClientDatagram,
  type ClientMessage,
  dequantizeLead,
  type Hello,
  quantizeLead,
} from "../../../../shared/netcode/wire/messages.ts";
import type { CommandValues, VectorGame } from "../games/vector_game.ts";

type Status = "in sync" | "desynced" | "body stream" | "body stream and state";

export interface HelloMeaning {
  readonly type: "hello";
  readonly version: number;
  readonly game: string;
  readonly room: string;
  readonly name: string;
  readonly spectator: boolean;
  readonly bodyStream: "no" | "able" | "requested";
  readonly token: string | null;
  readonly choices: readonly number[];
}

export interface CommandMeaning {
  readonly type: "command";
  readonly tick: number;
  readonly received: number;
  /** In quarters of a millisecond. */
  readonly lead: number;
  readonly status: Status;
  readonly command: CommandValues;
  readonly ping: number | null;
}

export interface CommandsMeaning {
  readonly type: "commands";
  readonly received: number;
  readonly status: Status;
  readonly bodiesReceived: number | null;
  readonly lead: number;
  readonly tick: number;
  /** The tick of the datagram that this one is coded against; null for a full one. */
  readonly reference: number | null;
  /** "unread" if the reader lacks the command before them. */
  readonly commands: readonly CommandValues[] | "unread";
  readonly count: number;
}

export type ClientMeaning =
  | HelloMeaning
  | { readonly type: "ping"; readonly id: number }
  | CommandMeaning
  | { readonly type: "report"; readonly received: number; readonly status: Status }
  | { readonly type: "proof"; readonly tick: number; readonly proof: number }
  | { readonly type: "back"; readonly received: number }
  | CommandsMeaning;

type Message = ClientMessage<CommandValues> | ClientDatagram<CommandValues>;
/** The three parts of a status in the codec's messages. */
interface SyncStatus {
  readonly isDesynced: boolean;
  readonly bodyStreamRequest?: BodyStreamRequest | undefined;
}

function statusOf({ isDesynced, bodyStreamRequest }: SyncStatus): Status {
  if (bodyStreamRequest === undefined) return isDesynced ? "desynced" : "in sync";
  return bodyStreamRequest === "state" ? "body stream and state" : "body stream";
}

function syncStatusOf(status: Status): SyncStatus {
  if (status === "in sync" || status === "desynced") return { isDesynced: status === "desynced" };
  return { isDesynced: false, bodyStreamRequest: status === "body stream" ? "bodies" : "state" };
}

function helloMeaningOf(
  { protocolVersion, gameId, room, name, spectate, bodyStreamMode, resume, choices }: Hello,
): HelloMeaning {
  return {
    type: "hello",
    version: protocolVersion,
    game: gameId,
    room,
    name,
    spectator: spectate,
    bodyStream: bodyStreamMode === "chosen" ? "requested" : bodyStreamMode,
    token: resume ?? null,
    choices,
  };
}

function helloOf(
  { version, game, room, name, spectator, bodyStream, token, choices }: HelloMeaning,
): Hello {
  return {
    type: "hello",
    protocolVersion: version,
    gameId: game,
    room,
    name,
    spectate: spectator,
    bodyStreamMode: bodyStream === "requested" ? "chosen" : bodyStream,
    resume: token ?? undefined,
    choices,
  };
}

function meaningOf(message: Message): ClientMeaning {
  switch (message.type) {
    case "hello":
      return helloMeaningOf(message);
    case "ping":
      return { type: "ping", id: message.id };
    case "back":
      return { type: "back", received: message.received };
    case "proof":
      return { type: "proof", tick: message.tick, proof: message.proof };
    case "report": {
      const { received, bodyStreamRequest } = message;
      return {
        type: "report",
        received,
        status: statusOf({ isDesynced: bodyStreamRequest === undefined, bodyStreamRequest }),
      };
    }
    case "command": {
      const { tick, received, leadMs, command, ping } = message;
      const lead = quantizeLead(leadMs);
      const status = statusOf(message);
      return { type: "command", tick, received, lead, status, command, ping: ping ?? null };
    }
    case "commands": {
      const { tick, received, leadMs, bodiesAck, reference = null, unreadCount } = message;
      const lead = quantizeLead(leadMs);
      const status = statusOf(message);
      const bodiesReceived = bodiesAck ?? null;
      const commands = unreadCount === undefined ? message.commands : "unread";
      const count = unreadCount ?? message.commands.length;
      return {
        type: "commands",
        received,
        status,
        bodiesReceived,
        lead,
        tick,
        reference,
        commands,
        count,
      };
    }
  }
}

function messageOf(meaning: ClientMeaning): Message {
  switch (meaning.type) {
    case "hello":
      return helloOf(meaning);
    case "ping":
      return { type: "ping", id: meaning.id };
    case "back":
      return { type: "back", received: meaning.received };
    case "proof":
      return { type: "proof", tick: meaning.tick, proof: meaning.proof };
    case "report":
      return {
        type: "report",
        received: meaning.received,
        bodyStreamRequest: syncStatusOf(meaning.status).bodyStreamRequest,
      };
    case "command": {
      const { tick, received, lead, status, command, ping } = meaning;
      const leadMs = dequantizeLead(lead);
      return {
        type: "command",
        tick,
        received,
        leadMs,
        command,
        ping: ping ?? undefined,
        ...syncStatusOf(status),
      };
    }
    case "commands": {
      const { tick, received, lead, status, commands, bodiesReceived, reference } = meaning;
      if (commands === "unread") {
        throw new TypeError("commands that were not read cannot be written");
      }
      const rest = {
        tick,
        received,
        leadMs: dequantizeLead(lead),
        commands,
        ...syncStatusOf(status),
      };
      const bodies = bodiesReceived !== null && { bodiesAck: bodiesReceived };
      return { type: "commands", ...rest, ...bodies, ...(reference !== null && { reference }) };
    }
  }
}

/** Reads one connection's messages from the client. The first one is the hello. */
export class ClientReader {
  readonly #decoder: ClientMessageDecoder<CommandValues>;
  #isGreeted = false;

  constructor({ codec }: VectorGame, { ordered }: { ordered: boolean }) {
    this.#decoder = new ClientMessageDecoder(codec, { ordered });
  }

  /** @throws WireError for bytes that are no client's message */
  read(bytes: Uint8Array): ClientMeaning {
    const message = this.#isGreeted ? this.#decoder.decode(bytes) : decodeHello(bytes);
    this.#isGreeted = true;
    return meaningOf(message);
  }
}

/** Writes one connection's messages from the client. */
export class ClientWriter {
  readonly #encoder: ClientMessageEncoder<CommandValues>;

  constructor({ codec }: VectorGame, { ordered }: { ordered: boolean }) {
    this.#encoder = new ClientMessageEncoder(codec, { ordered });
  }

  /** @returns the bytes, a copy */
  write(meaning: ClientMeaning): Uint8Array {
    const message = messageOf(meaning);
    return (message.type === "hello"
      ? encodeHello(message, new CodeWriter())
      : this.#encoder.encode(message)).slice();
  }
}
