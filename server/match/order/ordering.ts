/**
 * The part of a match that stands in for the simulation where the server only orders commands: it
 * compares what clients prove, asks the referee, and sends states to those who need one.
 *
 *     a client joins, fell behind, or proved something false  →  it waits  →  S(m) from the referee, then the ticks m+1 … n
 *
 * If the referee falls behind, the match takes the next state that is near enough and simulates.
 */
import type { Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import type { LogState } from "../../../shared/netcode/match_log/records.ts";
import { ProofMaker, type TickProof } from "../../../shared/netcode/proof.ts";
import type { Timeline } from "../../../shared/netcode/timeline.ts";
import { CloseCode, DATAGRAM_TICKS_MAX } from "../../../shared/netcode/wire/messages.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { Client } from "../clients/client.ts";
import type { MatchReferee, Verdict } from "./match_referee.ts";
import type { OrderedSimulation } from "./ordered_simulation.ts";
import { ProofBook } from "./proof_book.ts";

/**
 * How old a state may be that a client gets: the ticks after it fit one datagram, with two to
 * spare.
 */
const STATE_AGE_TICKS_MAX = DATAGRAM_TICKS_MAX - 2;
/**
 * How many ticks a judged state is stepped at once on its way to the present, and how far behind it
 * may begin: the timeline remembers the commands of a few more ticks.
 */
const CATCH_UP_STEPS_MAX = 8;
const CATCH_UP_TICKS_MAX = 100;
/** How long a client may wait for a state, ms, before the match simulates by itself. */
const WAITED_MS_MAX = 5_000;
/** How long a client waits for its state before it reads why, ms. */
const EXPLAINED_AFTER_MS = 2_000;
/** How often a match of which every tick is judged asks, s. */
const JUDGED_EVERY_SECONDS = 5;
/** How much time there is between two states in the log, s, as in a match that is simulated. */
const STATE_SECONDS = 10;
/** How long the referee is left alone after it had no answer, s. */
const RETRY_SECONDS = 5;
/**
 * How often a client may contradict the referee. An honest one that has computed something else gets
 * the state and agrees from then on.
 */
const LIES_MAX = 3;

const WAITING_TEXT = "The server is still computing this match; you are in it in a moment.";
const DIFFERS_REASON = "this page computes another match than the server's referee";

/** A client that contradicts the referee. */
export interface Difference<Command> {
  readonly client: Client<Command>;
  /** The last of the ten ticks of the false proof. */
  readonly tick: Tick;
  /** How often it has done so, 1 … `LIES_MAX`. */
  readonly lies: number;
}

export interface OrderingOptions<Command> {
  readonly referee: MatchReferee<Command>;
  readonly simulation: OrderedSimulation<Command>;
  readonly timeline: Timeline<Command>;
  readonly clock: Clock;
  readonly tickHz: number;
  /** The state with which the match begins here. */
  readonly first: LogState<Command>;
  /** Starts the match as clients simulate it, before its first tick. */
  readonly start: () => Simulation<Command>;
  /** Sends a client the state, and the ticks after it. */
  readonly sendState: (client: Client<Command>, state: LogState<Command>) => void;
  /** Sends a client a sentence. */
  readonly tell: (client: Client<Command>, text: string) => void;
  readonly onVerdict: (verdict: Verdict<Command>) => void;
  readonly onDifference: ((difference: Difference<Command>) => void) | undefined;
  /** The newest tick's state is known, for the log. @param simulation valid until this returns */
  readonly onState: (simulation: Simulation<Command>) => void;
  /** The match simulates from now on, because the referee was too slow. */
  readonly onSimulated: (simulation: Simulation<Command>) => void;
}

/** A client without a state. */
interface Waiting {
  /** The first tick that it was not sent. */
  readonly from: Tick;
  readonly sinceMs: number;
  isTold: boolean;
}

/** What a match does in place of a simulation. */
export class Ordering<Command> {
  readonly #options: OrderingOptions<Command>;
  readonly #book = new ProofBook<Client<Command>>();
  readonly #waiting = new Map<Client<Command>, Waiting>();
  /** How often a player contradicted the referee, by whichever link; a spectator, by this one. */
  readonly #lies = new WeakMap<object, number>();
  /** By client that did so: up to which tick its proofs are void, because it gets another state. */
  readonly #voidUntil = new Map<Client<Command>, Tick>();
  /** Makes the true proofs while the match simulates. */
  readonly #maker = new ProofMaker();
  #newest: LogState<Command>;
  /** The newest tick that clients have. */
  #sentTick: Tick;
  /** What judged states are loaded into; undefined before the first. */
  #scratch: Simulation<Command> | undefined;
  /** When the open question was asked, ms; undefined without one. */
  #askedAtMs: number | undefined;
  /** Before this tick no state is written again. */
  #nextStateTick: Tick;
  #retryAtTick: Tick = 0;
  /** Since when the referee owes what a client waits for, ms; undefined while it owes nothing. */
  #owedSinceMs: number | undefined;
  /** A judged state on its way to the present. */
  #catchingUp: Simulation<Command> | undefined;
  /** Ends what is left of a match that is over; undefined before. */
  #onEnd: (() => void) | undefined;

  constructor(options: OrderingOptions<Command>) {
    this.#options = options;
    this.#newest = options.first;
    this.#sentTick = options.first.tick;
    this.#nextStateTick = options.first.tick + STATE_SECONDS * options.tickHz;
  }

  /** The newest tick on which all clients that proved it agree. */
  get verifiedTick(): Tick {
    return this.#book.verifiedTick;
  }

  /** Takes a client's proof. */
  onProof(client: Client<Command>, proof: TickProof): void {
    if (this.#waiting.has(client)) return;
    if (proof.tick <= (this.#voidUntil.get(client) ?? -1)) return;
    if (this.#book.add(client, proof)) this.#onLie(client, proof.tick);
  }

  onLeft(client: Client<Command>): void {
    this.#book.forget(client);
    this.#waiting.delete(client);
    this.#voidUntil.delete(client);
  }

  /** The match is over. @param onReported called once its last rounds are reported */
  end(onReported: () => void): void {
    const { referee, simulation } = this.#options;
    this.#onEnd = () => {
      referee.stopJudging();
      onReported();
    };
    const isJudged = referee.judgesEnd && simulation.simulated === undefined;
    if (!isJudged) return this.#onEnd();
    // The answer to an open question comes first, and the match may have gone on since.
    if (this.#askedAtMs === undefined) this.#askLast();
  }

  #askLast(): void {
    this.#options.referee.ask((verdict) => {
      if (verdict !== undefined) this.#options.onVerdict(verdict);
      this.#onEnd!();
    });
  }

  /**
   * Call it when a tick has been sent to all clients that have a state.
   * @param clients all connected ones
   * @param snapshot the newest tick's state, if the match simulates
   */
  endTick(clients: Iterable<Client<Command>>, snapshot: Snapshot): void {
    const { simulation: { tick, simulated }, clock, tickHz, referee } = this.#options;
    const nowMs = clock.now();
    this.#sentTick = tick;

    if (simulated !== undefined) {
      const proof = this.#maker.add(tick, hashOfSnapshot(snapshot));
      if (proof !== undefined) this.#judge([proof]);
      return;
    }

    // Who waits: those to whom this tick could not be sent
    for (const client of clients) {
      if (client.deltaState.mode !== "full" || this.#waiting.has(client)) continue;
      this.#waiting.set(client, { from: tick, sinceMs: nowMs, isTold: false });
    }
    this.#serveWaiting();
    this.#explain(nowMs);

    // Whether to ask
    const isOwed = this.#waiting.size > 0 || this.#book.disputedTick >= 0;
    const isDue = referee.judgesAll && tick % (JUDGED_EVERY_SECONDS * tickHz) === 0;
    if (isOwed || isDue || referee.isFull) this.#ask(tick, nowMs);
    this.#owedSinceMs = isOwed ? this.#owedSinceMs ?? nowMs : undefined;
    this.#catchUp();
  }

  /** Whether the match had better simulate by itself. */
  get #isBehind(): boolean {
    const { clock } = this.#options;
    return clock.now() - (this.#owedSinceMs ?? Infinity) > WAITED_MS_MAX;
  }

  #ask(tick: Tick, nowMs: number): void {
    if (this.#askedAtMs !== undefined || tick < this.#retryAtTick) return;
    this.#askedAtMs = nowMs;
    this.#options.referee.ask((verdict) => {
      this.#askedAtMs = undefined;
      if (this.#options.simulation.simulated !== undefined) return;
      if (this.#onEnd !== undefined) {
        if (verdict !== undefined) this.#options.onVerdict(verdict);
        return this.#askLast();
      }
      if (verdict !== undefined) return this.#onVerdict(verdict);
      this.#retryAtTick = this.#options.simulation.tick + RETRY_SECONDS * this.#options.tickHz;
      for (const client of [...this.#waiting.keys()]) {
        client.link.close(CloseCode.busy, "this match cannot be computed now; try again in 10 s");
      }
    });
  }

  #onVerdict(verdict: Verdict<Command>): void {
    this.#options.onVerdict(verdict);
    this.#newest = verdict.state;
    this.#judge(verdict.proofs);
    this.#useState(verdict.state);
    this.#serveWaiting();
  }

  #judge(proofs: readonly TickProof[]): void {
    for (const [client, tick] of this.#book.judge(proofs)) this.#onLie(client, tick);
  }

  #onLie(client: Client<Command>, tick: Tick): void {
    const { simulation: { simulated, tick: now } } = this.#options;
    const liar = client.player ?? client;
    const count = (this.#lies.get(liar) ?? 0) + 1;
    this.#lies.set(liar, count);
    this.#voidUntil.set(client, simulated === undefined ? Infinity : now + 1);
    this.#book.forget(client);
    this.#options.onDifference?.({ client, tick, lies: count });
    if (count >= LIES_MAX) return client.link.close(CloseCode.differs, DIFFERS_REASON);
    client.deltaState.restartDelta();
  }

  /** Sends the newest judged state to those who wait, if it is new enough for them. */
  #serveWaiting(): void {
    const { simulation: { tick }, sendState } = this.#options;
    const state = this.#newest;
    if (tick - state.tick > STATE_AGE_TICKS_MAX) return;
    // While a tick is on its way to the log, nobody may have it, and the next message is coded
    // against it already.
    if (tick !== this.#sentTick) return;

    for (const [client, { from }] of [...this.#waiting]) {
      if (state.tick < from && !mayBeginBefore(client, state)) continue;
      this.#waiting.delete(client);
      if (this.#voidUntil.has(client)) this.#voidUntil.set(client, state.tick);
      sendState(client, state);
    }
  }

  #explain(nowMs: number): void {
    for (const [client, waiting] of this.#waiting) {
      if (waiting.isTold || nowMs - waiting.sinceMs < EXPLAINED_AFTER_MS) continue;
      waiting.isTold = true;
      this.#options.tell(client, WAITING_TEXT);
    }
  }

  /** Takes a state to the present: to simulate from there on, or for the log. */
  #useState({ tick: judged, snapshot }: LogState<Command>): void {
    const { simulation: { tick }, start, referee } = this.#options;
    const isDue = tick >= this.#nextStateTick || referee.isFull || this.#isBehind;
    if (!isDue || this.#catchingUp !== undefined || tick - judged > CATCH_UP_TICKS_MAX) return;
    this.#catchingUp = this.#scratch ??= start();
    this.#catchingUp.load(Snapshot.of(snapshot));
    this.#catchUp();
  }

  /** Steps towards the present. Once it is there, the state is known. */
  #catchUp(): void {
    const { simulation, timeline, tickHz, onState } = this.#options;
    const { tick } = simulation;
    const known = this.#catchingUp;
    // The tick that is on its way to the log may never be one.
    if (known === undefined || tick !== this.#sentTick) return;
    const end = Math.min(tick, known.tick + CATCH_UP_STEPS_MAX);
    while (known.tick < end) known.step(timeline.commands(known.tick + 1));
    if (known.tick < tick) return;

    this.#catchingUp = undefined;
    if (this.#isBehind) return this.#beginToSimulate(known);
    this.#nextStateTick = tick + STATE_SECONDS * tickHz;
    onState(known);
  }

  #beginToSimulate(simulated: Simulation<Command>): void {
    const { simulation, referee, onSimulated } = this.#options;
    simulation.simulate(simulated);
    referee.stopJudging();
    onSimulated(simulated);
    // They get a state with the next tick, as in any match.
    this.#waiting.clear();
    for (const [client, until] of this.#voidUntil) {
      this.#voidUntil.set(client, Math.min(until, simulated.tick + 1));
    }
  }
}

/**
 * Whether a client may begin with a state from before it came: one that has no state yet, and is not
 * a newcomer to a seat that somebody else still has in it.
 */
function mayBeginBefore<Command>(
  { deltaState, player }: Client<Command>,
  { seats, presence }: LogState<Command>,
): boolean {
  if (deltaState.stateTick >= 0) return false;
  if (player === undefined || player.entersAt !== undefined) return true;
  return ![...seats, ...presence].some(({ seat }) => seat === player.seat);
}
