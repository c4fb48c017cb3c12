/**
 * The bus between machines, by the log's servers: heartbeats, open rooms, seats, rooms to open,
 * take-overs and lists. Each message is sent with a proof (`message_proof.ts`). A stranger may
 * reach the log's servers, so a message without a valid proof is dropped and counted. Matches'
 * records do not go this way.
 *
 *     text → proof → servers → proof right, young, new? → the part that listens
 *                                      no → count it; a line of the log every 10 s
 *
 * A node with a wrong secret or clock would believe that all others are silent, and would take
 * their matches. So if it hears other nodes but can believe none of them, it is in doubt and takes
 * nothing.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Log } from "../ground/log.ts";
import type { Answer, NatsClient, NatsMessage } from "../match_log/nats/nats_client.ts";
import {
  answerContext,
  type Disproof,
  MessageProofs,
  type Verdict,
} from "../messages/message_proof.ts";
import type { DerivedKeys } from "../ground/server_secret.ts";
import type { Bus } from "./bus.ts";
import { type ClockReading, CLOCKS_APART_MS, NodeClocks } from "./node_clocks.ts";
import { SILENCE_MS } from "./missed_heartbeats.ts";

/**
 * Least time between two log lines about dropped messages, ms, because a stranger can cause such
 * lines.
 */
const LOG_EVERY_MS = 10_000;
/** The longest subject in such a line. */
const SUBJECT_LOGGED_MAX = 64;
/** How long one message keeps a node in doubt, ms: several heartbeats. */
const DOUBT_MS = 2 * SILENCE_MS;

/** Messages dropped since the start, by cause. */
export type DroppedCounts = Readonly<Record<Disproof, number>>;

export interface NatsBusOptions {
  readonly client: Pick<NatsClient, "isConnected" | "publish" | "send" | "subscribe">;
  /** This node's name. */
  readonly node: string;
  /** The secret that all nodes share, or the keys that `KEYS_OF_MESSAGES` names. */
  readonly secret: DerivedKeys;
  /**
   * Whether a node is a process of this machine. That one has the same secret and clock, so it
   * proves nothing about either. By default this process is the only one.
   */
  readonly isOwnMachine?: ((node: string) => boolean) | undefined;
  /** Names a node's machine, whose processes have one clock. By default each node is a machine. */
  readonly machineOf?: ((node: string) => string) | undefined;
  /**
   * Whether messages without a proof are believed, which allows an upgrade from nodes that send
   * none.
   */
  readonly takesUnsigned: boolean;
  readonly clock: Clock;
  /** As for `MessageProofs`. */
  readonly wallClock: Clock;
  readonly log: Log;
}

export class NatsBus implements Bus {
  readonly #options: NatsBusOptions;
  readonly #proofs: MessageProofs;
  readonly #clocks = new NodeClocks();
  readonly #dropped: Record<Disproof, number> = {
    unsigned: 0,
    secret: 0,
    forged: 0,
    stale: 0,
    replayed: 0,
  };
  #nextLogMs = -Infinity;
  #nextClockLogMs = -Infinity;
  /** When another node was last believed, ms; undefined before the first. */
  #believedMs: number | undefined;
  /** The newest message that proves nothing. */
  #unproven: { readonly atMs: number; readonly disproof: Disproof } | undefined;
  /** The newest message from a sender that knows the secret but has a different time. */
  #stale: { readonly atMs: number; readonly aheadMs: number } | undefined;

  constructor(options: NatsBusOptions) {
    this.#options = options;
    this.#proofs = new MessageProofs(options);
  }

  get isConnected(): boolean {
    return this.#options.client.isConnected;
  }

  /** Messages dropped since the start. */
  get dropped(): DroppedCounts {
    return this.#dropped;
  }

  /**
   * Why this node suspects itself, in words that follow "because"; undefined if it does not. Either
   * it hears messages without a valid proof and has never believed another node, or it hears nodes
   * that know the secret but have a different time, and none with its own time. A stranger can make
   * a node doubt only while no other node lives.
   */
  get doubt(): string | undefined {
    const nowMs = this.#options.clock.now();
    const believedMs = this.#believedMs;
    const isRecent = (atMs = -Infinity) => nowMs - atMs <= DOUBT_MS;
    if (isRecent(this.#stale?.atMs) && !isRecent(believedMs)) {
      return clockWords(-this.#stale!.aheadMs);
    }
    if (!isRecent(this.#unproven?.atMs) || believedMs !== undefined) return undefined;
    return this.#unproven!.disproof === "secret"
      ? "its secret is not that of the other nodes"
      : "its secret or version is not that of the other nodes";
  }

  /** Whether this node suspects itself. */
  get isInDoubt(): boolean {
    return this.doubt !== undefined;
  }

  /** How far the nodes' clocks are apart. */
  get clocks(): ClockReading {
    return this.#clocks.read(this.#options.clock.now());
  }

  /** Sends a message that needs no answer. Without a connection the message is dropped. */
  publish(subject: string, text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#options.client.publish(
      subject,
      bytes,
      this.#proofs.prove({ context: subject, text: bytes }).headers,
    );
  }

  /**
   * @param onMessage called with each message that is believed; if it returns a text, that is sent
   * as the answer
   */
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => Promise<string> | void): void {
    this.#options.client.subscribe(subject, (message) => {
      const proven = { context: message.subject, text: message.bytes };
      const verdict = this.#proofs.check((name) => message.header(name), proven);
      if (!this.#isBelieved(verdict, message.subject)) return;
      const mac = verdict.disproof === undefined ? verdict.mac : "";
      void onMessage(message.bytes)?.then((answer) => this.#respond(message, { answer, mac }));
    });
  }

  /** Asks another node. @returns its answer; undefined if no believable answer came in time */
  request(subject: string, text: string, timeoutMs: number): Promise<string | undefined> {
    const bytes = new TextEncoder().encode(text);
    const { headers, mac } = this.#proofs.prove({ context: subject, text: bytes });
    return new Promise((resolve) =>
      this.#options.client.send(subject, bytes, {
        timeoutMs,
        headers,
        onAnswer: (answer) => {
          // The servers report that no node listens.
          if (answer === undefined || answer.status !== 0) return resolve(undefined);
          if (!this.#isAnswer(answer, { subject, mac })) return "ignored";
          resolve(new TextDecoder().decode(answer.bytes));
        },
      })
    );
  }

  #respond(message: NatsMessage, { answer, mac }: { answer: string; mac: string }): void {
    const text = new TextEncoder().encode(answer);
    message.respond(answer, this.#proofs.prove({ context: answerContext(mac), text }).headers);
  }

  #isAnswer(
    { bytes, header }: Answer,
    { subject, mac }: { subject: string; mac: string },
  ): boolean {
    const message = { context: answerContext(mac), text: bytes };
    return this.#isBelieved(this.#proofs.check(header, message, { isOnce: false }), subject);
  }

  #isBelieved(verdict: Verdict, subject: string): boolean {
    const { disproof } = verdict;
    const nowMs = this.#options.clock.now();
    const { node, takesUnsigned, isOwnMachine = (each) => each === node } = this.#options;

    if ((disproof === undefined || disproof === "stale") && !isOwnMachine(verdict.node)) {
      this.#hearClock(verdict, nowMs);
    }

    if (disproof === undefined || disproof === "unsigned" && takesUnsigned) {
      // Its own messages come back from the servers, and say nothing about others.
      if (disproof !== undefined || !isOwnMachine(verdict.node)) this.#believedMs = nowMs;
      return true;
    }

    if (disproof === "stale") this.#stale = { atMs: nowMs, aheadMs: verdict.aheadMs };
    else if (disproof !== "replayed") this.#unproven = { atMs: nowMs, disproof };
    this.#drop(verdict, { disproof, subject, nowMs });
    return false;
  }

  /** Compares clocks: the proof vouches that the message's time is its sender's. */
  #hearClock({ node, aheadMs }: { node: string; aheadMs: number }, nowMs: number): void {
    const { machineOf = (each: string) => each } = this.#options;
    this.#clocks.hear(machineOf(node), aheadMs, nowMs);
    if (Math.abs(aheadMs) <= CLOCKS_APART_MS || nowMs < this.#nextClockLogMs) return;
    const { others, apart, aheadMs: ownAheadMs } = this.clocks;
    if (apart === 0) return;
    this.#nextClockLogMs = nowMs + LOG_EVERY_MS;
    this.#options.log("node_clocks_differ", {
      apart,
      others,
      ownAheadSeconds: Math.round(ownAheadMs / 1000),
    });
  }

  #drop(
    verdict: Exclude<Verdict, { disproof: undefined }>,
    { disproof, subject, nowMs }: { disproof: Disproof; subject: string; nowMs: number },
  ): void {
    const dropped = this.#dropped;
    dropped[disproof]++;
    if (nowMs < this.#nextLogMs) return;

    this.#nextLogMs = nowMs + LOG_EVERY_MS;
    const from = verdict.disproof === "unsigned" ? {} : { from: verdict.node };
    const ahead = verdict.disproof === "stale"
      ? { aheadSeconds: Math.round(verdict.aheadMs / 1000) }
      : {};
    this.#options.log("node_message_dropped", {
      why: disproof,
      subject: subject.slice(0, SUBJECT_LOGGED_MAX),
      ...from,
      ...ahead,
      ...dropped,
    });
  }
}

/** Words why a node may not be believed, for `doubt`. @param aheadMs of its clock */
export function clockWords(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return `its clock is ${seconds} s ${side} those of the other nodes`;
}
