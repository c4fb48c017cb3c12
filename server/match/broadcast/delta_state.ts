/**
 * The definitive ticks that one client has, and so the baselines of its next message. The
 * broadcaster owns this state and records each message in it; all others report events. The mode
 * decides the next message:
 *
 *     delta   the ticks that the client does not have
 *     full    a full state; for a body-stream client the start of a new stream
 *     probe   a full state beside the body stream, which continues: the client compares hashes with it
 *
 *     event               | in full | in delta | in probe
 *     --------------------|---------|----------|---------
 *     restartDelta        | full    | full     | full
 *     desync reported     | full    | full *   | probe
 *     requestFullState    | full    | full *   | probe
 *     state requested     | full    | probe *  | probe
 *     recordState         | delta   | delta    | delta
 *     path left           | full    | full ‡   | full
 *     any other           | full    | delta    | probe
 *
 *     * if the resync budget allows it, and if the client sent the event after it had the last state
 *     ‡ on the body stream; otherwise the ticks that the client misses follow (`resumeAfter`)
 */
import { type Advice, NO_ADVICE } from "../../../shared/netcode/wire/advice_codec.ts";
import type { BodyStreamRequest, Hello } from "../../../shared/netcode/wire/messages.ts";
import type { BodyBaselines } from "../../../shared/netcode/wire/quantized_body.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { TickEnd } from "../../../shared/netcode/wire/tick_codec.ts";
import { BodyBaselineHistory } from "./body_baseline_history.ts";

/**
 * Resyncs that a client may get at once, and the ticks that pay for one more: two a second at 20 Hz
 * (SPEC 4.3).
 */
const RESYNCS_AT_ONCE = 3;
const TICKS_PER_RESYNC = 10;

/**
 * A resync failed if its client is desynced again within so many ticks. After so many in a row it
 * cannot agree (SPEC 12.4).
 */
const FAILED_RESYNC_TICKS = 40;
const FAILED_RESYNCS_MAX = 3;

export type DeltaMode = "full" | "delta" | "probe";

/**
 * Whether a client is on the body stream: never, if it cannot agree, from the start until it
 * leaves, or for good.
 */
export type BodyStreamMode = Hello["bodyStreamMode"] | "always";

/** A client's report about its own state. */
export interface SyncStatus {
  /** The newest definitive tick that the client has. */
  readonly received: Tick;
  readonly isDesynced: boolean;
  /** Undefined if the client is not on the body stream, or leaves it. */
  readonly bodyStreamRequest: BodyStreamRequest | undefined;
  /** On a datagram link: the newest tick whose bodies the client has. */
  readonly bodiesAck: Tick | undefined;
}

/** One client's delta state. */
export class DeltaState {
  readonly #bodyStreamMode: BodyStreamMode;
  #mode: DeltaMode = "full";
  #stateTick: Tick = -1;
  /** On a datagram link: the newest tick up to which the client has everything, as it reported. */
  #acknowledgedTick: Tick = -1;
  /** The client cannot use ticks until a state has arrived. */
  #awaitingState = true;
  #resumeAfter: Tick | undefined;
  #lastAdvice: Advice = NO_ADVICE;
  #hadBodies = false;
  /** Undefined while the client is not on the body stream. */
  #sentBodies: BodyBaselineHistory | undefined;
  /** Resyncs that it may get now; fractions grow with time. */
  #resyncBudget = RESYNCS_AT_ONCE;
  /** Resyncs in a row after which the client was soon desynced again. */
  #failedResyncs = 0;

  constructor({ bodyStreamMode }: { bodyStreamMode: BodyStreamMode }) {
    this.#bodyStreamMode = bodyStreamMode;
    if (bodyStreamMode === "always" || bodyStreamMode === "chosen") {
      this.#sentBodies = new BodyBaselineHistory();
    }
  }

  get mode(): DeltaMode {
    return this.#mode;
  }

  /** The newest tick whose state was sent; -1 before the first. */
  get stateTick(): Tick {
    return this.#stateTick;
  }

  /** The advice of the newest message on a reliable link. */
  get lastAdvice(): Advice {
    return this.#lastAdvice;
  }

  /**
   * The newest tick of a client that has just left its datagram path; undefined otherwise. The
   * later ones follow by the reliable channel.
   */
  get resumeAfter(): Tick | undefined {
    return this.#resumeAfter;
  }

  /** Whether the newest tick message on a reliable link had bodies. */
  get hadBodies(): boolean {
    return this.#hadBodies;
  }

  get isOnBodyStream(): boolean {
    return this.#sentBodies !== undefined;
  }

  /** The newest tick whose bodies the client certainly has; -1 if there is none. */
  get bodiesTick(): Tick {
    return this.#sentBodies?.baseTick ?? -1;
  }

  /**
   * The bodies of `bodiesTick`; undefined if a message of `tick` cannot be delta-coded against
   * them.
   */
  bodyBaselinesFor(tick: Tick): BodyBaselines | undefined {
    return this.#sentBodies?.baselinesFor(tick);
  }

  /**
   * The tick after which a datagram begins. A state that was sent will arrive, so a client that
   * waits for it needs only the ticks after it. A client that can continue without it gets the
   * ticks that it misses.
   * @param oldest the oldest tick that can still be sent
   */
  datagramBaseTick(oldest: Tick): Tick {
    const isContinuous = !this.#awaitingState && this.#acknowledgedTick + 1 >= oldest;
    return isContinuous
      ? this.#acknowledgedTick
      : Math.max(this.#acknowledgedTick, this.#stateTick);
  }

  /**
   * A client reports how its state compares to the definitive one.
   * @returns whether this is a new desync, for which the client gets a state
   */
  onSyncStatus({ received, isDesynced, bodyStreamRequest, bodiesAck }: SyncStatus): boolean {
    if (isDesynced) return this.#onDesync(received);
    if (received < this.#stateTick) return false; // sent before it had the state
    if (bodyStreamRequest === undefined && this.#bodyStreamMode !== "always") {
      this.#sentBodies = undefined;
    }
    if (bodiesAck !== undefined) this.#sentBodies?.acknowledge(bodiesAck);
    if (bodyStreamRequest === "state") this.#grantState("probe", received);
    return false;
  }

  #onDesync(received: Tick): boolean {
    const isSoon = this.#stateTick >= 0 && received - this.#stateTick <= FAILED_RESYNC_TICKS;
    if (!this.#grantState("full", received)) return false;

    // A client that cannot agree goes on the body stream, if it can.
    this.#failedResyncs = isSoon ? this.#failedResyncs + 1 : 0;
    if (
      this.#bodyStreamMode === "no" || this.isOnBodyStream ||
      this.#failedResyncs < FAILED_RESYNCS_MAX
    ) return true;
    this.#sentBodies = new BodyBaselineHistory();
    this.#failedResyncs = 0;
    return true;
  }

  /** The client has everything up to `received`. Datagrams report this in any order. */
  acknowledge({ received, isDesynced }: Pick<SyncStatus, "received" | "isDesynced">): void {
    if (received > this.#acknowledgedTick) this.#awaitingState = isDesynced;
    else if (received === this.#acknowledgedTick && isDesynced) this.#awaitingState = true;
    this.#acknowledgedTick = Math.max(this.#acknowledgedTick, received);
  }

  /** A datagram cannot hold all that the client misses. */
  requestFullState(): void {
    this.#grantState("full", this.#acknowledgedTick);
  }

  /** The client was not sent everything: its next message must be self-contained. */
  restartDelta(): void {
    this.#mode = "full";
  }

  /**
   * The client has left its datagram path. A body stream starts again, because the baselines of its
   * channels differ.
   * @param received the newest tick that the client has
   */
  leavePath(received: Tick): void {
    this.acknowledge({ received, isDesynced: this.#awaitingState });
    if (this.isOnBodyStream) this.restartDelta();
    else this.#resumeAfter = received;
  }

  /** The missed ticks were sent by the reliable channel, with all that the next one needs. */
  recordResume(advice: Advice): void {
    this.#resumeAfter = undefined;
    this.#lastAdvice = advice;
  }

  /** A tick has passed. */
  endTick(): void {
    this.#resyncBudget = Math.min(RESYNCS_AT_ONCE, this.#resyncBudget + 1 / TICKS_PER_RESYNC);
  }

  /** The state of `tick` was sent. @param end with bodies if it starts the body stream */
  recordState(tick: Tick, { advice, bodies }: Omit<TickEnd, "pong">): void {
    this.#mode = "delta";
    this.#stateTick = tick;
    this.#resumeAfter = undefined;
    this.#lastAdvice = advice;
    if (bodies === undefined) return;
    this.#hadBodies = true;
    this.#recordDelivered(tick, bodies);
  }

  /** `tick` was sent on a reliable link. */
  recordTick(tick: Tick, { advice, bodies }: TickEnd): void {
    this.#lastAdvice = advice;
    this.#hadBodies = bodies !== undefined;
    if (bodies !== undefined) this.#recordDelivered(tick, bodies);
  }

  /** The bodies of `tick` were sent by datagram, which may be lost. */
  recordBodies(tick: Tick, bodies: BodyBaselines): void {
    this.#sentBodies!.record(tick, bodies);
  }

  #recordDelivered(tick: Tick, bodies: BodyBaselines): void {
    this.#sentBodies!.record(tick, bodies);
    this.#sentBodies!.acknowledge(tick);
  }

  /** @returns whether the client gets a state that it would not have got */
  #grantState(mode: "full" | "probe", received: Tick): boolean {
    // An event sent before the last state is about the time before it. A second event adds nothing
    // to the first.
    if (this.#mode !== "delta" || received < this.#stateTick || this.#resyncBudget < 1) {
      return false;
    }
    this.#resyncBudget--;
    this.#mode = mode;
    return true;
  }
}
