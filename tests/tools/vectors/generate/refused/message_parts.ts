/**
 * Parts of the server's messages as elements, for messages that a client must refuse. Each of those
 * is whole but for its fault, so that a reader without that check takes it.
 */
import { type Element, writeElements } from "../../check/coder.ts";
import type { ConnectionCase } from "../../check/connection.ts";
import { marbles } from "../../games/marbles.ts";
import type { ServerMeaning } from "../../meanings/server_message.ts";
import { recordedServerConnection } from "../connections.ts";
import { ServerScript } from "../scripted/server_script.ts";

export type ServerCase = ConnectionCase<ServerMeaning>;

/** The tick of the state that begins the connections. */
export const TICK = 20;
export const HASH: Element = ["bits", 16, 0];
export const MORE_PRESENCE: Element = ["flag", 16, 1];
export const NO_PRESENCE: Element = ["flag", 16, 0];
/** A slack of 0, and no advised lead. */
export const FULL_ADVICE: readonly Element[] = [["bits", 12, 2048], ["bits", 14, 0]];

/** So many equal elements. */
export function times(count: number, ...elements: Element[]): Element[] {
  return Array.from({ length: count }, () => elements).flat();
}

/** Seats that announce nothing, without announced commands before. */
export const silent = (seats: number) => times(seats, ["flag", 12, 0]);
export const NO_DELTA: readonly Element[] = [HASH, NO_PRESENCE, ...silent(32)];

/** A text of bytes, which may be none. */
export function textOf(...bytes: number[]): Element[] {
  return [["varint", bytes.length], ...bytes.map((byte): Element => ["bits", 8, byte])];
}

/**
 * A connection with one state, or with what `begin` writes, and a message that is refused after it.
 */
export function refused(
  about: string,
  because: string,
  bytes: Uint8Array | readonly Element[],
  { begin = (script) => script.state(TICK, null), link = "reliable" }: {
    begin?: (script: ServerScript) => void;
    link?: ServerCase["link"];
  } = {},
): ServerCase {
  const script = new ServerScript(marbles);
  begin(script);
  return recordedServerConnection(`refused: ${about}`, {
    game: marbles,
    link,
    messages: script.messages,
    refused: {
      bytes: bytes instanceof Uint8Array ? bytes : writeElements(bytes as readonly Element[]),
      because,
    },
  });
}
