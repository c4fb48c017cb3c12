/**
 * The line on which nodes talk to each other: heartbeats, open rooms, seats, rooms to open, take-overs and lists. What is
 * sent gets a proof (`message_proof.ts`). What comes without a good one is dropped and counted, because a stranger may
 * reach the log's servers. The records of matches do not go this way.
 *
 *     text → proof → servers → proof right, young, new? → the part that listens
 *                                      no → count it; a line of the log every 10 s
 *
 * A node whose own secret or clock is wrong would take all others for silent, and their matches with it. So it is in doubt,
 * and takes nothing, if it hears others whom it cannot believe, and nobody whom it can.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Log } from "../log.ts";
import type { Answer, LineMessage, NatsLine } from "../match_log/nats/nats_line.ts";
import { answerContext, type Disproof, MessageProofs, PROOF_HEADER, type Verdict } from "../messages/message_proof.ts";
import type { ServerSecret } from "../server_secret.ts";
import type { AskLine } from "./hand_over.ts";
import type { BeatLine } from "./nodes.ts";
import { SILENCE_MS } from "./silence.ts";

/** How often dropped messages are written into the log at most, ms: anybody on the servers' port can cause a line. */
const LOG_EVERY_MS = 10_000;
/** The longest subject in such a line. */
const SUBJECT_LOGGED_MAX = 64;
/** A message makes a node doubt for so long, ms: several heartbeats. */
const DOUBT_MS = 2 * SILENCE_MS;

/** Messages that were dropped since the start, by their cause. */
export type DroppedCounts = Readonly<Record<Disproof, number>>;

export interface SignedLineOptions {
  readonly line: Pick<NatsLine, "isConnected" | "publish" | "send" | "subscribe">;
  /** The name of this node. */
  readonly node: string;
  /** The secret of all nodes. */
  readonly secret: ServerSecret;
  /** Whether messages without a proof are believed, for an upgrade from nodes that make none. */
  readonly takesUnsigned: boolean;
  readonly clock: Clock;
  /** As for `MessageProofs`. */
  readonly wallClock: Clock;
  readonly log: Log;
}

export class SignedLine implements AskLine, BeatLine {
  readonly #options: SignedLineOptions;
  readonly #proofs: MessageProofs;
  readonly #dropped: Record<Disproof, number> = { unsigned: 0, forged: 0, stale: 0, replayed: 0 };
  #nextLogMs = -Infinity;
  /** When another node was believed last, ms; undefined before. */
  #believedMs: number | undefined;
  /** When a message came last that proves nothing, and one whose sender has the secret and another time, ms. */
  #unprovenMs = -Infinity;
  #staleMs = -Infinity;

  constructor(options: SignedLineOptions) {
    this.#options = options;
    this.#proofs = new MessageProofs(options);
  }

  get isConnected(): boolean {
    return this.#options.line.isConnected;
  }

  /** Messages that were dropped since the start. */
  get dropped(): DroppedCounts {
    return this.#dropped;
  }

  /**
   * Whether this node has reason to take itself for the wrong one. It hears messages without a good proof, and has never
   * believed another node. Or it hears nodes with the secret at other times, and nobody at its own. A stranger can make a
   * node doubt only while no other node lives.
   */
  get isInDoubt(): boolean {
    const nowMs = this.#options.clock.now(), believedMs = this.#believedMs;
    if (nowMs - this.#staleMs <= DOUBT_MS && !(nowMs - (believedMs ?? -Infinity) <= DOUBT_MS)) return true;
    return nowMs - this.#unprovenMs <= DOUBT_MS && believedMs === undefined;
  }

  /** Sends a message that nobody answers. Without a connection it is dropped. */
  publish(subject: string, text: string): void {
    const bytes = new TextEncoder().encode(text), { header } = this.#proofs.prove({ context: subject, text: bytes });
    this.#options.line.publish(subject, bytes, { [PROOF_HEADER]: header });
  }

  /** @param onMessage called with each message that is believed; what it returns is sent as the answer */
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => Promise<string> | void): void {
    this.#options.line.subscribe(subject, (message) => {
      const verdict = this.#proofs.check(message.header(PROOF_HEADER), {
        context: message.subject,
        text: message.bytes,
      });
      if (!this.#isBelieved(verdict, message.subject)) return;
      const mac = verdict.disproof === undefined ? verdict.mac : "";
      void onMessage(message.bytes)?.then((answer) => this.#respond(message, { answer, mac }));
    });
  }

  /** Asks another node. @returns its answer; undefined if none that is believed came in time */
  ask(subject: string, text: string, timeoutMs: number): Promise<string | undefined> {
    const bytes = new TextEncoder().encode(text),
      { header, mac } = this.#proofs.prove({ context: subject, text: bytes });
    return new Promise((resolve) =>
      this.#options.line.send(subject, bytes, {
        timeoutMs,
        headers: { [PROOF_HEADER]: header },
        onAnswer: (answer) => {
          // The servers say that nobody listens.
          if (answer === undefined || answer.status !== 0) return resolve(undefined);
          if (!this.#isAnswer(answer, { subject, mac })) return "ignored";
          resolve(new TextDecoder().decode(answer.bytes));
        },
      })
    );
  }

  #respond(message: LineMessage, { answer, mac }: { answer: string; mac: string }): void {
    const text = new TextEncoder().encode(answer),
      { header } = this.#proofs.prove({ context: answerContext(mac), text });
    message.respond(answer, { [PROOF_HEADER]: header });
  }

  #isAnswer({ bytes, header }: Answer, { subject, mac }: { subject: string; mac: string }): boolean {
    const message = { context: answerContext(mac), text: bytes };
    return this.#isBelieved(this.#proofs.check(header(PROOF_HEADER), message, { isOnce: false }), subject);
  }

  #isBelieved(verdict: Verdict, subject: string): boolean {
    const { disproof } = verdict, nowMs = this.#options.clock.now();
    const { node, takesUnsigned } = this.#options;
    if (disproof === undefined || disproof === "unsigned" && takesUnsigned) {
      // Its own messages, which come back from the servers, say nothing about others.
      if (disproof !== undefined || verdict.node !== node) this.#believedMs = nowMs;
      return true;
    }

    if (disproof === "stale") this.#staleMs = nowMs;
    else if (disproof !== "replayed") this.#unprovenMs = nowMs;
    this.#drop(verdict, { disproof, subject, nowMs });
    return false;
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
    const ahead = verdict.disproof === "stale" ? { aheadSeconds: Math.round(verdict.aheadMs / 1000) } : {};
    this.#options.log("node_message_dropped", {
      why: disproof,
      subject: subject.slice(0, SUBJECT_LOGGED_MAX),
      ...from,
      ...ahead,
      ...dropped,
    });
  }
}
