/**
 * Proves that a message comes from a node that knows the secret of all nodes. The proof stands in a
 * header beside the message, so a node of an earlier version reads the same text:
 *
 *     proof = "1 <node> <time> <count> <mac>"        time: ms since 1970; count: 1, 2, 3 … of this process
 *     mac   = base64url( HMAC-SHA-256( key, "1 <node> <time> <count> <context>\n" + text ) )
 *     key   = HMAC-SHA-256( secret, "messages of nodes, version 1" )
 *
 * A second header carries a digest of the secret, which distinguishes a node with another secret
 * from a stranger.
 *
 * A message's context is its subject, which names its kind and destination. An answer's context is
 * the question's mac. So a message cannot be passed off as one of another kind or for another node,
 * and an answer fits only one question.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { type DerivedKeys, ServerSecret } from "../ground/server_secret.ts";
import { sameBytes } from "../ground/std_web.ts";

/** The header with the proof. */
export const PROOF_HEADER = "Wyvern-Proof";
/**
 * The header with the secret's digest. It proves nothing, because a stranger who has heard it can
 * repeat it. But it distinguishes a node with another secret from a stranger without any, so that
 * the log can name the cause.
 */
const SECRET_HEADER = "Wyvern-Secret";

const VERSION = 1;
/** The purposes of the keys that proofs need. */
const MAC_PURPOSE = `messages of nodes, version ${VERSION}`;
const DIGEST_PURPOSE = `digest of the secret of nodes, version ${VERSION}`;
/** What a process needs of the nodes' secret to speak to other nodes. */
export const KEYS_OF_MESSAGES: readonly string[] = [MAC_PURPOSE, DIGEST_PURPOSE];
/** In base64, two bits of the last of 32 bytes' characters are unused, and 0. */
const PROOF = /^1 ([0-9a-f]{16}) (\d{1,16}) (\d{1,16}) ([\w-]{42}[AEIMQUYcgkosw048])$/;
const SECRET_DIGEST = /^[0-9a-f]{16}$/;
const MAC_TEXT = { alphabet: "base64url", omitPadding: true } as const;
/** 64 bits of the digest: enough to distinguish two secrets, and too few to find the secret. */
const SECRET_DIGEST_BYTES = 8;
/**
 * How far two nodes' clocks may be apart, ms. A message that is older or farther ahead is dropped,
 * and within this time its count keeps it from being taken twice. Tickets allow the same.
 */
export const NODE_CLOCKS_MS_MAX = 60_000;
/**
 * A sender not heard for this long, ms, is forgotten, because by then whatever it said is too old
 * by any clock.
 */
const KEPT_MS = 2 * NODE_CLOCKS_MS_MAX;
/** How many senders are remembered: 64 nodes, and those replaced within two minutes. */
const SENDERS_MAX = 256;

/** Why a message is not proved. */
export type Disproof =
  /** It carries no proof. */
  | "unsigned"
  /** Its proof was made with another secret, as the digest beside it shows. */
  | "secret"
  /** Its proof was made without the secret, for something else, or in another version. */
  | "forged"
  /** It was sent more than a minute ago, or its sender's clock is wrong. */
  | "stale"
  /** It was heard before. */
  | "replayed";

/** What a check found out about a message. `node` is its sender. */
export type Verdict =
  | {
    readonly disproof: undefined;
    readonly node: string;
    readonly mac: string;
    readonly aheadMs: number;
  }
  | { readonly disproof: "unsigned" }
  | {
    readonly disproof: Exclude<Disproof, "unsigned">;
    /** The sender that the message names. A sender without the secret may lie. */
    readonly node: string;
    /** How far its sender's clock was ahead, ms. A message that waited appears to be behind. */
    readonly aheadMs: number;
  };

/** The parts of a message that its proof covers. */
export interface ProvenText {
  /** Its subject, or the result of `answerContext`. */
  readonly context: string;
  readonly text: Uint8Array;
}

/** A new proof. */
export interface Proof {
  /** The headers to send with the message. */
  readonly headers: Readonly<Record<string, string>>;
  readonly mac: string;
}

/** Where a message stands in what its sender has sent. */
interface Counted {
  readonly node: string;
  readonly subject: string;
  readonly count: number;
}

interface Sender {
  /** By subject, of which there are a few: the greatest count. */
  readonly counts: Map<string, number>;
  heardMs: number;
}

/** The context of an answer. @param mac the question's */
export function answerContext(mac: string): string {
  return `answer ${mac}`;
}

export class MessageProofs {
  readonly #node: string;
  readonly #key: ServerSecret;
  readonly #wallClock: Clock;
  readonly #secretDigest: string;
  /** By node, least recently heard first. */
  readonly #senders = new Map<string, Sender>();
  #count = 0;

  /**
   * @param options.node this process's name among the nodes
   * @param options.secret the secret that all nodes share, or its keys for messages
   * @param options.wallClock ms since 1970 by the machine's clock
   */
  constructor(
    { node, secret, wallClock }: { node: string; secret: DerivedKeys; wallClock: Clock },
  ) {
    this.#node = node;
    this.#key = new ServerSecret(secret.bytesFor(MAC_PURPOSE));
    this.#wallClock = wallClock;
    const digest = secret.bytesFor(DIGEST_PURPOSE);
    this.#secretDigest = digest.subarray(0, SECRET_DIGEST_BYTES).toHex();
  }

  /** Makes a new message's proof. */
  prove(message: ProvenText): Proof {
    const claims = `${VERSION} ${this.#node} ${Math.round(this.#wallClock.now())} ${++this.#count}`;
    const mac = this.#macOf(claims, message).toBase64(MAC_TEXT);
    return {
      headers: { [PROOF_HEADER]: `${claims} ${mac}`, [SECRET_HEADER]: this.#secretDigest },
      mac,
    };
  }

  /**
   * Checks the proof of a message that has arrived, and remembers it as heard if the proof is
   * right.
   * @param header returns a header by its name; empty if the message lacks it
   * @param options.isOnce whether a message that was heard before is refused; answers need no such
   * check, because each fits only one question
   */
  check(header: (name: string) => string, message: ProvenText, { isOnce = true } = {}): Verdict {
    const proof = header(PROOF_HEADER);
    if (proof === "") return { disproof: "unsigned" };

    // What the proof claims about its message
    const [, node = "", time, count, mac = ""] = PROOF.exec(proof) ?? [];
    const nowMs = this.#wallClock.now();
    const aheadMs = Number(time) - nowMs;

    // Computing a mac takes as long as all other work on a message, so whatever will be dropped
    // anyway is dropped before.
    if (this.#hasOtherSecret(header(SECRET_HEADER))) return { disproof: "secret", node, aheadMs };
    const place = { node, subject: message.context, count: Number(count) };
    if (isOnce && place.count <= this.#countOf(place)) {
      return { disproof: "replayed", node, aheadMs };
    }

    // Whether the mac is right
    const claims = proof.slice(0, proof.length - mac.length - 1);
    const isRight = mac !== "" &&
      sameBytes(Uint8Array.fromBase64(mac, MAC_TEXT), this.#macOf(claims, message));
    if (!isRight) return { disproof: "forged", node, aheadMs };

    // Its time, which means something only if the sender knows the secret
    if (Math.abs(aheadMs) > NODE_CLOCKS_MS_MAX) return { disproof: "stale", node, aheadMs };
    if (isOnce) this.#remember(place, nowMs);
    return { disproof: undefined, node, mac, aheadMs };
  }

  /** Whether a digest belongs to another secret. Nodes of earlier versions send none. */
  #hasOtherSecret(digest: string): boolean {
    return SECRET_DIGEST.test(digest) && digest !== this.#secretDigest;
  }

  /** The greatest count that a sender has used under a subject; 0 before its first message. */
  #countOf({ node, subject }: Counted): number {
    return this.#senders.get(node)?.counts.get(subject) ?? 0;
  }

  #remember({ node, subject, count }: Counted, nowMs: number): void {
    const sender = this.#senders.get(node) ?? { counts: new Map<string, number>(), heardMs: nowMs };
    sender.counts.set(subject, count);
    sender.heardMs = nowMs;
    // Moves the sender to the end of the map's order.
    this.#senders.delete(node);
    this.#senders.set(node, sender);
    this.#forgetOld(nowMs);
  }

  #forgetOld(nowMs: number): void {
    for (const [node, { heardMs }] of this.#senders) {
      if (this.#senders.size <= SENDERS_MAX && nowMs - heardMs <= KEPT_MS) return;
      this.#senders.delete(node);
    }
  }

  #macOf(claims: string, { context, text }: ProvenText): Uint8Array {
    // One call for everything, because each call costs as much as hashing so few bytes.
    const head = new TextEncoder().encode(`${claims} ${context}\n`);
    const bytes = new Uint8Array(head.length + text.length);
    bytes.set(head);
    bytes.set(text, head.length);
    return this.#key.macOf(bytes);
  }
}
