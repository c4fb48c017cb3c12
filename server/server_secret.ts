/**
 * The server's secret, and what comes from it by a one-way function: the seeds of rooms, and what
 * NPCs draw from. One of these values says nothing about another.
 *
 *     value = HMAC-SHA-256( secret, purpose )          (RFC 2104)
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { NpcRandom } from "../shared/netcode/game.ts";
import { hashOf } from "../shared/random.ts";

/**
 * Numbers of one key: a thousandth of the cost of a key for each. A key lasts for seconds of an
 * NPC, and a search for its 64 bits takes years.
 */
const NUMBERS_PER_KEY = 64;
/** Keys that are kept: a few for each NPC seat. */
const KEYS_MAX = 64;

/** What a room needs of a secret. */
export interface RoomSecret {
  /**
   * The seed of a room, unsigned, 32 bits.
   * @param opened rooms of the game that were opened before
   */
  seedOf(game: string, code: string, opened: number): number;
  /** What the NPCs of a room draw from. */
  npcRandomOf(game: string, code: string, opened: number): NpcRandom;
}

export class ServerSecret implements RoomSecret {
  readonly #bytes: Uint8Array;

  /** @param bytes at least 16, all of them random */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** A secret for this process alone. */
  static drawn(): ServerSecret {
    return new ServerSecret(randomBytes(32));
  }

  /** The secret behind a text, which is as hard to guess as the text. */
  static ofText(text: string): ServerSecret {
    return new ServerSecret(createHash("sha256").update(text).digest());
  }

  /** Bytes for one purpose, 32 of them. */
  bytesFor(...purpose: readonly (string | number)[]): Uint8Array<ArrayBuffer> {
    return new Uint8Array(
      createHmac("sha256", this.#bytes).update(JSON.stringify(purpose)).digest(),
    );
  }

  /** The HMAC-SHA-256 of some bytes, 32 bytes, which cannot be made without this secret. */
  macOf(bytes: Uint8Array): Uint8Array {
    return createHmac("sha256", this.#bytes).update(bytes).digest();
  }

  seedOf(game: string, code: string, opened: number): number {
    return wordOf(this.bytesFor("seed", game, code, opened), 0);
  }

  npcRandomOf(game: string, code: string, opened: number): NpcRandom {
    const secret = new ServerSecret(this.bytesFor("npcs", game, code, opened));
    const keys = new Map<string, Uint8Array>();
    return (a, b) => {
      const name = `${a} ${Math.floor(b / NUMBERS_PER_KEY)}`;
      let key = keys.get(name);
      if (key === undefined) {
        if (keys.size >= KEYS_MAX) keys.clear();
        keys.set(name, key = secret.bytesFor(name));
      }
      return hashOf(hashOf(wordOf(key, 0), a, b), wordOf(key, 4));
    };
  }
}

/**
 * Hashes texts of which one has 128 random bits itself, so that no secret is needed: the first 128
 * bits of SHA-256, as 32 hexadecimal digits. It is the same after a restart.
 */
export function digestOf(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}

/** Hashes a seat token. */
export function hashToken(token: string): string {
  return digestOf("seat", token);
}

/** Random bytes of the machine, as twice as many hexadecimal digits. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

function wordOf(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24) >>> 0;
}
