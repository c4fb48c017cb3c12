/** Connections of messages: each message is read, and its meaning is written. */
import { assertEquals, assertThrows } from "@std/assert";
import { WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { gameOf } from "../games/games.ts";
import { type ClientMeaning, ClientReader, ClientWriter } from "../meanings/client_message.ts";
import type { ServerMeaning } from "../meanings/server_message.ts";
import { ServerReader } from "../meanings/server_reader.ts";
import { ServerWriter } from "../meanings/server_writer.ts";

/** A message with its meaning, or one that a reader must refuse. */
export interface MessageVector<Meaning> {
  readonly bytes: string;
  readonly message?: Meaning;
  readonly refused?: true;
}

export interface ConnectionCase<Meaning> {
  readonly about: string;
  readonly game: string;
  readonly link: "reliable" | "datagram";
  readonly messages: readonly MessageVector<Meaning>[];
}

interface Ends<Meaning> {
  readonly reader: { read(bytes: Uint8Array): Meaning };
  readonly writer: { write(meaning: Meaning): Uint8Array };
  /** Whether a message can be read and not written. */
  isUnread(meaning: Meaning): boolean;
}

export function checkClientConnection(
  { game: id, link, messages }: ConnectionCase<ClientMeaning>,
): void {
  const game = gameOf(id);
  const options = { ordered: link === "reliable" };
  const reader = new ClientReader(game, options);
  const writer = new ClientWriter(game, options);
  checkMessages(messages, {
    reader,
    writer,
    isUnread: (message) => message.type === "commands" && message.commands === "unread",
  });
}

export function checkServerConnection({ game: id, messages }: ConnectionCase<ServerMeaning>): void {
  const game = gameOf(id);
  const reader = new ServerReader(game);
  const writer = new ServerWriter(game);
  checkMessages(messages, {
    reader,
    writer,
    isUnread: (message) => message.type === "ticks" && message.bodies === "unread",
  });
}

function checkMessages<Meaning>(
  messages: readonly MessageVector<Meaning>[],
  { reader, writer, isUnread }: Ends<Meaning>,
): void {
  messages.forEach(({ bytes: hex, message, refused }, i) => {
    const bytes = Uint8Array.fromHex(hex);
    const at = `message ${i}`;
    if (refused) {
      assertThrows(() => reader.read(bytes), WireError);
      assertEquals(i, messages.length - 1, "a refused message ends its connection");
      return;
    }
    assertEquals(reader.read(bytes), message!, at);
    if (!isUnread(message!)) assertEquals(writer.write(message!).toHex(), hex, at);
  });
}
