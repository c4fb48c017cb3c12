/**
 * The server's secret, and what a one-way function derives from it: rooms' seeds and NPCs' random
 * numbers. Knowing one derived value reveals nothing about another.
 *
 *     value = HMAC-SHA-256( secret, purpose )          (RFC 2104)
 */
import { createHash, createHmac, randomBytes } from "node:crypto";
import type { NpcRandom } from "../../shared/netcode/game.ts";
import { hashOf } from "../../shared/random.ts";
import { sameBytes } from "./std_web.ts";

/**
 * How many numbers one key yields, at a thousandth of what a key for each would cost. A key serves
 * an NPC for seconds only, and a search for its 64 bits takes years.
 */
const NUMBERS_PER_KEY = 64;
/** How many keys are kept: a few for each NPC seat. */
const KEYS_MAX = 64;

/** What a room derives from a secret. */
export interface RoomSecret {
  /**
   * The seed of a room, unsigned, 32 bits.
   * @param opened rooms of the game that were opened before
   */
  seedOf(game: string, code: string, opened: number): number;
  /** The random numbers that a room's NPCs draw. */
  npcRandomOf(game: string, code: string, opened: number): NpcRandom;
}

/** What yields keys for purposes: a secret, or the keys that were lent of it. */
export interface DerivedKeys {
  /** @throws Error for a purpose whose key was not lent */
  bytesFor(purpose: string): Uint8Array<ArrayBuffer>;
}

/**
 * Keys of a secret for some purposes, for a process that does not have the secret: it can make none
 * for another purpose.
 */
export class LentKeys implements DerivedKeys {
  readonly #keys: Readonly<Record<string, string>>;

  /** @param keys by purpose, in base64 */
  constructor(keys: Readonly<Record<string, string>>) {
    this.#keys = keys;
  }

  /** Takes some keys out of a secret, as text. */
  static of(secret: DerivedKeys, purposes: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      purposes.map((purpose) => [purpose, secret.bytesFor(purpose).toBase64()]),
    );
  }

  bytesFor(purpose: string): Uint8Array<ArrayBuffer> {
    const key = this.#keys[purpose];
    if (key === undefined) throw new Error(`no key for "${purpose}" was lent`);
    return Uint8Array.fromBase64(key);
  }
}

/** What operators keep from others. */
export interface OperatorSecrets {
  /** Signs tickets and yields a public server's seeds; by default it is drawn at the start. */
  readonly secret?: string | undefined;
  /** The token of the operators' port; by default it is drawn at the start. */
  readonly opsToken?: string | undefined;
}

export class ServerSecret implements RoomSecret, DerivedKeys {
  readonly #bytes: Uint8Array;

  /** @param bytes at least 16, all random */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Draws a secret for this process alone. */
  static drawn(): ServerSecret {
    return new ServerSecret(randomBytes(32));
  }

  /** The operator's secret, or one for this process alone. */
  static given(text: string | undefined): ServerSecret {
    return text === undefined ? ServerSecret.drawn() : ServerSecret.ofText(text);
  }

  /** Makes a secret that is as hard to guess as the text. */
  static ofText(text: string): ServerSecret {
    return new ServerSecret(createHash("sha256").update(text).digest());
  }

  /** Derives 32 bytes for one purpose. */
  bytesFor(...purpose: readonly (string | number)[]): Uint8Array<ArrayBuffer> {
    return new Uint8Array(
      createHmac("sha256", this.#bytes).update(JSON.stringify(purpose)).digest(),
    );
  }

  /** The HMAC-SHA-256 of some bytes: 32 bytes that cannot be made without this secret. */
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
 * Hashes texts without a secret, which suffices because one of them holds 128 random bits: the
 * first 128 bits of SHA-256, as 32 hexadecimal digits. The result stays the same after a restart.
 */
export function digestOf(...texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}

/** Hashes a seat token. */
export function hashToken(token: string): string {
  return digestOf("seat", token);
}

/** Draws random bytes and writes them as twice as many hexadecimal digits. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

function wordOf(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24) >>> 0;
}

/** Whether two texts are equal, in a time that depends only on their lengths. */
export function sameTexts(a: string, b: string): boolean {
  const bytesA = new TextEncoder().encode(a);
  const bytesB = new TextEncoder().encode(b);
  return bytesA.length === bytesB.length && sameBytes(bytesA, bytesB);
}
