/** Makes connections of messages from their meanings, or from bytes that were recorded. */
import { assertEquals, assertThrows } from "@std/assert";
import { WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import type { ConnectionCase, MessageVector } from "../check/connection.ts";
import type { VectorGame } from "../games/vector_game.ts";
import { type ClientMeaning, ClientReader, ClientWriter } from "../meanings/client_message.ts";
import type { ServerMeaning } from "../meanings/server_message.ts";
import { ServerReader } from "../meanings/server_reader.ts";
import { ServerWriter } from "../meanings/server_writer.ts";

type Link = ConnectionCase<unknown>["link"];

/** The messages that arrived at each end of one connection, in their order. */
export interface Recording {
  readonly fromServer: Uint8Array[];
  readonly fromClient: Uint8Array[];
}

interface ConnectionParts<Message> {
  readonly game: VectorGame;
  readonly link?: Link;
  /** In their order. */
  readonly messages: readonly Message[];
  /** A message that a reader refuses after the others. */
  readonly refused?: RefusedMessage;
}

/**
 * Bytes that are no message, and a part of the reader's error, so that they are refused for what
 * they are.
 */
export interface RefusedMessage {
  readonly bytes: Uint8Array;
  readonly because: string;
}

/**
 * A connection from its client's messages.
 * @throws Error if a reader takes the bytes of `refused`
 */
export function clientConnection(
  about: string,
  { game, link = "reliable", messages, refused }: ConnectionParts<ClientMeaning>,
): ConnectionCase<ClientMeaning> {
  const options = { ordered: link === "reliable" };
  const writer = new ClientWriter(game, options);
  const reader = new ClientReader(game, options);
  const vectors: MessageVector<ClientMeaning>[] = messages.map((message) => {
    const bytes = writer.write(message);
    const read = reader.read(bytes);
    assertEquals(read, message);
    return { bytes: bytes.toHex(), message: read };
  });
  if (refused !== undefined) vectors.push(refusedVector(refused, reader));
  return { about, game: game.schema.id, link, messages: vectors };
}

/**
 * A connection from its server's messages.
 * @throws Error if a reader takes the bytes of `refused`
 */
export function serverConnection(
  about: string,
  { game, link = "reliable", messages, refused }: ConnectionParts<ServerMeaning>,
): ConnectionCase<ServerMeaning> {
  const writer = new ServerWriter(game);
  const connection = recordedServerConnection(about, {
    game,
    link,
    messages: messages.map((message) => writer.write(message)),
    ...(refused !== undefined && { refused }),
  });
  messages.forEach((message, i) => assertEquals(connection.messages[i]!.message, message));
  return connection;
}

/** A connection from bytes that a server has sent. */
export function recordedServerConnection(
  about: string,
  { game, link = "reliable", messages, refused }: ConnectionParts<Uint8Array>,
): ConnectionCase<ServerMeaning> {
  const reader = new ServerReader(game);
  const vectors: MessageVector<ServerMeaning>[] = messages.map((bytes) => ({
    bytes: bytes.toHex(),
    message: reader.read(bytes),
  }));
  if (refused !== undefined) vectors.push(refusedVector(refused, reader));
  return { about, game: game.schema.id, link, messages: vectors };
}

/** A connection from bytes that a client has sent, the hello first. */
export function recordedClientConnection(
  about: string,
  { game, link = "reliable", messages }: ConnectionParts<Uint8Array>,
): ConnectionCase<ClientMeaning> {
  const reader = new ClientReader(game, { ordered: link === "reliable" });
  const vectors = messages.map((bytes) => ({ bytes: bytes.toHex(), message: reader.read(bytes) }));
  return { about, game: game.schema.id, link, messages: vectors };
}

function refusedVector(
  { bytes, because }: RefusedMessage,
  reader: { read(bytes: Uint8Array): unknown },
): { bytes: string; refused: true } {
  assertThrows(() => reader.read(bytes), WireError, because);
  return { bytes: bytes.toHex(), refused: true };
}
