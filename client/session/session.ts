/**
 * One client's connection to one match, without a screen. Pages draw it, bots play through it, and
 * the lab runs it on a virtual clock.
 *
 *     advance(now):  receive ticks → roll back where they contradict the prediction → send commands → predict due ticks
 *
 * All other work waits for `advance`. A message that arrives between two calls is only decoded and
 * queued; a pong also gets its timestamp.
 */
import { CUT } from "../../shared/netcode/link.ts";
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import type { Commands, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
import type { LogState } from "../../shared/netcode/match_log/records.ts";
import {
  type ClientDatagram,
  type ClientMessage,
  CloseCode,
  type Offer,
  type PiggybackedPong,
  type Pong,
  type ResumeToken,
  type Welcome,
} from "../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { isAlwaysReliable, ReliableEncoder } from "../../shared/netcode/wire/client_messages.ts";
import { rulesOf } from "../../shared/netcode/own_npcs.ts";
import { type Snapshot, SnapshotError } from "../../shared/snapshot.ts";
import { CommandSender } from "./command_sender.ts";
import type { InputDelayChoice } from "./input_delay.ts";
import type { JoinedMatch } from "./joined_match.ts";
import { LocalProofs } from "./local_proofs.ts";
import { Reconciler } from "./reconciler.ts";
import { TickClock } from "./tick_clock.ts";
import { Predictor } from "./predictor.ts";
import { PredictionBudget } from "./prediction_budget.ts";
import { helloOf, type SessionOptions, type SessionPhase } from "./session_options.ts";
import { type PosePair, SessionPoses } from "./session_poses.ts";
import { countNpcCommands, newSessionStats, type SessionStats } from "./session_stats.ts";
import type { SessionDatagrams } from "./datagrams/session_datagrams.ts";
import { type LinkStage, LinkWatch } from "./link_watch.ts";
import { TickReceiver } from "./tick_receiver.ts";

export type { CommandSource, SessionOptions } from "./session_options.ts";

/** A match as a client knows it: all but the players' tokens. */
export type KnownMatchState<Command> = Omit<LogState<Command>, "type" | "hash" | "players">;

const NO_NAMES: ReadonlyMap<SeatId, string> = new Map();

export class Session<Command, Sim extends Simulation<Command> = Simulation<Command>> {
  readonly #options: SessionOptions<Command, Sim>;
  readonly #encoder: ReliableEncoder<Command>;
  readonly #decoder: ServerMessageDecoder<Command>;
  readonly #tickClock: TickClock;
  readonly #budget: PredictionBudget;
  readonly #tickReceiver = new TickReceiver<Command>();
  /** The datagram path, and what became of datagrams; undefined before the first offer. */
  datagrams: SessionDatagrams<Command> | undefined;
  #phase: SessionPhase = "joining";
  /** Undefined before the welcome. */
  #joined: JoinedMatch<Command, Sim> | undefined;
  readonly #watch: LinkWatch;
  readonly #poses: SessionPoses;
  readonly stats: SessionStats = newSessionStats();
  /** The server's newest sentence for everyone, and when it came, ms on the clock. */
  notice: { readonly text: string; readonly atMs: number } | undefined;
  closeCode = 0;
  closeReason = "";
  /** The stage in which the connection ended, or that took too long; undefined before the end. */
  endedIn: LinkStage | undefined;
  /**
   * Called when the local S(tick) differs from the server's, while `copyState(tick, …)` can still
   * copy it. For developers' pages.
   */
  onDesync: ((tick: Tick) => void) | undefined;

  constructor(options: SessionOptions<Command, Sim>) {
    this.#options = options;
    this.#poses = new SessionPoses(this.stats, options.onCorrection);
    const { game, link, bodyStream } = options;
    this.#encoder = new ReliableEncoder(game.command);
    this.#decoder = new ServerMessageDecoder(game.command, bodyStream?.reader);
    this.#tickClock = new TickClock(game.tickHz, (id) => this.#send({ type: "ping", id }));
    this.#budget = new PredictionBudget(game.tickHz, options.clock);
    this.#watch = new LinkWatch(options.clock.now(), options.patience);
    link.onMessage((bytes, reliably) => this.#receive(bytes, reliably));
    link.onClose((code, reason) => this.#end(code, reason));
    this.#send(helloOf(options));
    if (!link.ordered) this.#useDatagrams();
  }

  get phase(): SessionPhase {
    return this.#phase;
  }

  /**
   * The token that restores the seat after a lost connection; undefined before the welcome and for
   * spectators.
   */
  get resume(): ResumeToken | undefined {
    return this.seat < 0 ? undefined : this.#joined!.resume;
  }

  /** Whether this session got back the seat that its token belongs to. */
  get isResumed(): boolean {
    return this.#joined?.isResumed ?? false;
  }

  /** The local seat; -1 before the welcome and for spectators. */
  get seat(): SeatId {
    return this.#joined?.seat ?? -1;
  }

  /** The names of everyone present or announced, by seat. */
  get names(): ReadonlyMap<SeatId, string> {
    return this.#joined?.reconciler.names ?? NO_NAMES;
  }

  /**
   * The predicted present; undefined before the first state. Callers may read it but must not step
   * it.
   */
  get simulation(): Sim | undefined {
    return this.definitiveTick < 0 ? undefined : this.#joined!.simulation;
  }

  /**
   * Creates another simulation of this match, to load states into.
   * @throws Error before the welcome
   */
  newSimulation(): Sim {
    if (this.#joined === undefined) throw new Error("there is no match before the welcome");
    return this.#joined.start();
  }

  /** The newest definitive tick received; -1 before the first. */
  get definitiveTick(): Tick {
    return this.#joined?.reconciler.received ?? -1;
  }

  /** The poses of the head and of the tick before it. */
  get poses(): PosePair {
    return this.#poses.current;
  }

  get head(): Tick {
    return this.#joined?.predictor.head ?? -1;
  }

  get leadMs(): number {
    return this.#phase === "playing" ? this.#tickClock.timeDilation.leadMs : 0;
  }

  /** The lead that the server advises, ms; `leadMs` moves toward it. 0 unless playing. */
  get advisedLeadMs(): number {
    return this.#phase === "playing" ? this.#tickClock.timeDilation.advisedMs : 0;
  }

  /** The input delay in force, ticks 0 … 3, fractional while it changes. 0 unless playing. */
  get inputDelayTicks(): number {
    return this.#phase === "playing" ? this.#tickClock.inputDelayTicks : 0;
  }

  get roundTripMs(): number {
    return this.#tickClock.roundTripMs;
  }

  /** The round trip to show a player: the usual one, without what this page itself held up, ms. */
  get pingMs(): number {
    return this.#tickClock.pingMs;
  }

  get isInSync(): boolean {
    return this.#joined !== undefined && !this.#joined.reconciler.isDesynced;
  }

  /**
   * Whether an NPC gives the local seat's commands, because this client sent none, or the same one
   * for long.
   */
  get isPlayedByNpc(): boolean {
    return this.#joined !== undefined && this.#joined.reconciler.npcUntil > this.definitiveTick;
  }

  /** Whether this client receives the body stream. */
  get isOnBodyStream(): boolean {
    return this.#joined?.reconciler.bodyStreamRequest !== undefined;
  }

  /**
   * The local hash, 32 bits, for a tick that agreed with the server's hash, or that was proven to a
   * server without hashes; undefined for any other tick.
   */
  provenHash(tick: Tick): number | undefined {
    return this.#joined?.reconciler.provenHash(tick);
  }

  /**
   * Copies the local S(tick), for observers such as the debug overlay.
   * @returns whether the tick is in the history
   */
  copyState(tick: Tick, into: Snapshot): boolean {
    return this.#joined?.predictor.copyState(tick, into) ?? false;
  }

  /**
   * Copies the newest definitive state that this client has stepped, with all that is announced
   * beyond it, so that another process can go on with the match.
   * @returns undefined before the first state, and while the client disagrees with the server
   */
  matchState(): KnownMatchState<Command> | undefined {
    const joined = this.#joined;
    if (joined === undefined || joined.reconciler.isDesynced) return undefined;
    const { reconciler, predictor } = joined;
    const tick = Math.min(reconciler.received, predictor.head);
    const known = predictor.joinStateAt(tick, (seat) => reconciler.names.get(seat) ?? "");
    if (known === undefined) return undefined;
    const { state: { seats, snapshot }, presence, announcements } = known;
    return { tick, seats, presence, announcements, snapshot: snapshot.slice() };
  }

  /**
   * Returns the commands that this client last used to step a recent tick, for observers. Valid
   * until the next `advance`.
   */
  commandsOf(tick: Tick): Commands<Command> {
    return this.#joined?.predictor.commandsOf(tick) ?? [];
  }

  /**
   * Whether this seat's command for a tick up to the head is known; if not, the simulation assumed
   * or guessed one.
   */
  isKnown(tick: Tick, seat: SeatId): boolean {
    if (this.#joined === undefined) return false;
    const { predictor, simulation, isOrdered } = this.#joined;
    // What an NPC of an ordered match does so soon was decided in a tick that is definitive by now.
    if (isOrdered && simulation.npcSeats.includes(seat)) {
      return tick <= this.definitiveTick + simulation.reactionTicks(seat);
    }
    return predictor.isKnown(tick, seat);
  }

  /**
   * The newest tick whose own command can be counted on: the head, or while the line seems to lose
   * packets or an NPC plays, the newest tick that the server announced. −1 for a spectator.
   */
  get ownCommandsHoldTo(): Tick {
    if (this.#joined === undefined || this.seat < 0) return -1;
    const { losesPackets, acknowledgedTick } = this.#joined.reconciler;
    return losesPackets || this.isPlayedByNpc ? acknowledgedTick : this.head;
  }

  /**
   * Writes the commands for the tick after the head, as known now, to `out` by seat. If the local
   * seat's is not issued yet, it is what the input would give now.
   */
  predictCommands(out: (Command | undefined)[]): void {
    this.#joined?.predictor.predictCommands(
      this.#options.commandSource.peek?.(this.#joined.reconciler.acknowledged),
      out,
    );
  }

  /** The clock's position between the head and the next tick, 0 … 1. */
  fraction(): number {
    return Math.min(1, Math.max(0, this.#tickClock.headTicks - this.head));
  }

  /**
   * When `advance` must be called again at the latest, ms on the clock; Infinity when closed. An
   * arriving message may make it earlier.
   */
  get nextDueMs(): number {
    if (this.#phase === "closed") return Infinity;
    const pingMs = this.#isHelloSent ? this.#tickClock.nextPingMs : Infinity;
    const dueMs = Math.min(pingMs, this.#watch.dueMs);
    if (this.#phase === "joining") return dueMs;
    return Math.min(dueMs, this.datagrams?.nextDueMs ?? Infinity, this.#tickClock.nextTickMs);
  }

  /**
   * Call it when the network may have changed, because the browser is online again or the machine
   * slept. If the link stays silent, the session soon gives it up.
   */
  doubtLink(): void {
    this.#watch.doubt();
  }

  /** Does everything that is due. Call it with every frame, or when `nextDueMs` is reached. */
  advance(): void {
    if (this.#phase === "closed") return;
    const joined = this.#joined;
    const nowMs = this.#options.clock.now();
    if (!this.#watchLink(nowMs)) return;

    // Pings go out before the welcome comes, but only once the socket is open.
    this.#tickClock.ping(nowMs, this.#isHelloSent);
    this.datagrams?.advance(nowMs, joined?.reconciler.acknowledgedTick ?? -1);
    if (joined === undefined) return;

    // What arrived
    if (!this.#receiveTicks(joined, nowMs)) return;
    if (this.#phase === "joining" && !this.#begin(nowMs, joined)) return joined.sender.confirm();

    // What this page does: send its commands, predict
    this.#tickClock.advance(nowMs, this.#inputDelay);
    const target = Math.floor(this.#tickClock.headTicks);

    this.#rewindTo(joined, target);
    joined.sender.sendTo(this.#tickClock.commandTick, {
      leadMsOf: (tick) => this.#tickClock.timeDilation.leadMsOf(tick, this.#options.clock.now()),
      tooLateTick: this.#tickClock.tooLateTick,
      nowMs,
    });
    this.#predictTo(joined, target);

    // Whether it still agrees with the server
    const desyncedTick = joined.reconciler.check();
    if (desyncedTick !== undefined) this.onDesync?.(desyncedTick);

    this.#poses.refresh(joined.simulation);
  }

  /**
   * Ends the connection at once with code 1006, whatever its link does, because on a dead network
   * the link's own close event may take minutes. The seat stays reserved.
   */
  giveUp(reason: string): void {
    this.#end(CUT, "");
    this.#options.link.close(CloseCode.helloMissing, reason);
  }

  /** Leaves the match. Close code 1000 also frees the seat (SPEC 3.2). */
  close(): void {
    this.#options.link.close(1000, "left");
  }

  /** What the connection awaits next. */
  get #stage(): LinkStage {
    const { link } = this.#options;
    if (link.stage !== undefined) return link.stage;
    if (this.#joined === undefined) return "welcome";
    return this.definitiveTick < 0 ? "state" : "tick";
  }

  /** @returns whether the link may be alive; otherwise the session has ended */
  #watchLink(nowMs: number): boolean {
    const verdict = this.#watch.advance(nowMs, this.#stage);
    if (verdict === "ask") this.#send({ type: "ping", id: this.#tickClock.newPing(nowMs) });
    if (verdict === "dead") this.giveUp("no answer");
    return verdict !== "dead";
  }

  /** Ends the session. The first reason counts. */
  #end(code: number, reason: string): void {
    if (this.#phase === "closed") return;
    this.endedIn = this.#stage;
    this.#phase = "closed";
    this.closeCode = code;
    this.closeReason = reason;
  }

  /** None for a spectator, who gives no commands and would gain nothing if the head waited. */
  get #inputDelay(): InputDelayChoice {
    return this.seat < 0 ? 0 : this.#options.inputDelay?.() ?? 0;
  }

  get #isHelloSent(): boolean {
    return this.#joined !== undefined || this.#options.link.bufferedBytes === 0;
  }

  readonly #send = (message: ClientMessage<Command> | ClientDatagram<Command>): void => {
    const { link } = this.#options;
    const isReliable = isAlwaysReliable(message.type);
    // On a datagram link, only the hello goes out until the datagrams' code is loaded.
    const encoder = link.ordered || isReliable ? this.#encoder : this.datagrams?.encoder;
    if (encoder === undefined) return;
    const bytes = encoder.encode(message as ClientDatagram<Command>);
    this.stats.bytesUp += bytes.length;
    if (isReliable) link.sendReliably(bytes);
    else link.send(bytes);
  };

  #receive(bytes: Uint8Array, reliably: boolean): void {
    if (this.#phase === "closed") return;
    this.stats.bytesDown += bytes.length;

    try {
      const message = this.#decoder.decode(bytes);
      const { clock } = this.#options;
      const nowMs = clock.now();
      this.#watch.heard();
      this.datagrams?.onArrival(message, { nowMs, reliably });

      // Handle messages other than ticks, and the pong that rides on a tick
      switch (message.type) {
        case "welcome":
          return this.#onWelcome(message);
        case "early":
          return this.#joined?.reconciler.receiveEarly(message);
        case "notice":
          return void (this.notice = { text: message.text, atMs: nowMs });
        case "pong":
          return this.#onPong(message);
        case "offer":
          return this.#options.link.path && this.#useDatagrams(message);
        case "resume":
          return;
        case "tick":
          if (message.pong !== undefined) this.#onPong(message.pong);
      }

      this.#tickClock.tickArrived(nowMs, clock.lagMs?.());
      this.#tickReceiver.put(message);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#options.link.close(CloseCode.protocol, error.message);
    }
  }

  /** Loads and uses the datagrams' code. @param offer a path to open */
  #useDatagrams(offer?: Offer): void {
    const { datagramSupport, link, clock, game } = this.#options;
    datagramSupport?.((Datagrams) => {
      this.datagrams ??= new Datagrams(link, {
        newPing: () => this.#tickClock.newPing(clock.now()),
        game,
        send: this.#send,
        sendBack: () => this.#send({ type: "back", received: Math.max(0, this.definitiveTick) }),
      });
      if (offer !== undefined) {
        this.datagrams.onOffer(offer, { nowMs: clock.now(), roundTripMs: this.roundTripMs });
      }
    });
  }

  #onPong(pong: Pong | PiggybackedPong): void {
    const { clock } = this.#options;
    this.#watch.answered();
    this.#tickClock.pong(clock.now(), pong, clock.lagMs?.());
  }

  #onWelcome({ seat, isResumed, resume, npcs, seed, choices, isOrdered }: Welcome): void {
    if (this.#joined !== undefined) throw new WireError("a second welcome");
    const { game, onEvents, commandSource, link, onMistake = console.error } = this.#options;
    const { stats } = this;

    // The match as this client simulates it.
    const rules = rulesOf(game, { isOrdered });
    const start = () => rules.start({ npcs, choices }, seed);
    const simulation = start();
    const predictor = new Predictor(game, {
      simulation,
      seat,
      previousPoses: this.poses.previous,
      onStep: () => {
        this.#poses.invalidate();
        onEvents?.(simulation.events, simulation.tick);
      },
      onMistake,
    });

    // What corrects it as the server sends ticks.
    const bodyStream = isOrdered ? undefined : this.#options.bodyStream?.open({ predictor, start });
    const proofs = isOrdered
      ? new LocalProofs((proof) => this.#send({ type: "proof", ...proof }))
      : undefined;
    const reconciler = new Reconciler(predictor, { seat, stats, proofs, bodyStream });

    // Read when the command is sent, because earlier work in the same `advance` takes real time.
    const piggybackPing = () => this.#tickClock.piggybackPing(this.#options.clock.now());
    const requestPing = () => this.#tickClock.requestPing(this.#options.clock.now());
    const isAnswered = (number: number) => this.#tickClock.isAnswered(number);
    const datagramSender = () => this.datagrams?.sender;

    const sender = new CommandSender({
      game,
      seat,
      commandSource,
      isAway: this.#options.isAway,
      predictor,
      reconciler,
      stats,
      send: this.#send,
      piggybackPing,
      requestPing,
      isAnswered,
      datagramSender,
      get ordered() {
        return link.ordered;
      },
    });

    this.#joined = {
      seat,
      isResumed,
      resume,
      isOrdered,
      start,
      simulation,
      predictor,
      reconciler,
      sender,
    };
  }

  /** Starts to play once a state and enough pongs arrived. @returns whether it started */
  #begin(nowMs: number, { sender }: JoinedMatch<Command, Sim>): boolean {
    const clock = this.#tickClock;
    const options = { isSpectator: this.seat < 0, inputDelay: this.#inputDelay };
    if (this.definitiveTick < 0 || !clock.begin(nowMs, options)) return false;
    sender.begin(clock.commandTick);
    this.#phase = "playing";
    return true;
  }

  /**
   * @returns false if a message was wrong and the link is closed, so that there is no state to
   *   predict from
   */
  #receiveTicks(joined: JoinedMatch<Command, Sim>, nowMs: number): boolean {
    const { reconciler } = joined;
    let message = this.#tickReceiver.next(reconciler);
    if (message === undefined && !reconciler.hasEarly) {
      this.#applyAdvice(nowMs);
      return true;
    }

    // A correction begins with what is drawn now, and ends below with what is drawn next
    this.#poses.beginCorrection();
    let resimulated = 0;
    try {
      for (; message !== undefined; message = this.#tickReceiver.next(reconciler)) {
        resimulated += reconciler.receive(message);
      }
      if (!reconciler.isDesynced) resimulated += this.#budget.measure(() => reconciler.reconcile());
    } catch (error) {
      if (!(error instanceof WireError || error instanceof SnapshotError)) throw error;
      this.#options.link.close(CloseCode.protocol, error.message);
      return false;
    }

    // Use the time from before the rollback, so that one `advance` and its frame show one moment.
    this.#applyAdvice(nowMs);
    if (resimulated > 0) {
      this.#poses.endCorrection(joined.simulation, { seat: this.seat, resimulated });
    }
    return true;
  }

  #applyAdvice(nowMs: number): void {
    const adviceMs = this.#tickReceiver.consumeAdvice(); // 0 if no advice arrived
    if (adviceMs > 0) this.#tickClock.advise(nowMs, adviceMs);
  }

  /**
   * If the clock jumped back, the head follows it at once, because otherwise the picture would
   * stand still, and keys would not act, until the clock caught up.
   */
  #rewindTo({ predictor, reconciler, simulation }: JoinedMatch<Command, Sim>, target: Tick): void {
    const tick = Math.max(target, reconciler.received);
    if (predictor.head <= tick) return;
    this.#poses.beginCorrection();
    predictor.rewind(tick);
    this.#poses.endCorrection(simulation, { seat: this.seat, resimulated: 1 });
  }

  /**
   * Predicts the ticks that are due. The budget limits how far the head runs ahead of the
   * definitive tick, so that a rollback is neither too deep nor too slow.
   */
  #predictTo({ seat, predictor, reconciler }: JoinedMatch<Command, Sim>, target: Tick): void {
    if (reconciler.isDesynced) return;
    const farthest = Math.min(
      target,
      reconciler.received + (seat === undefined ? 0 : this.#budget.aheadTicks),
    );
    while (predictor.head < farthest) {
      predictor.predict();
      if (predictor.head > reconciler.received) countNpcCommands(this.stats, predictor);
    }
  }
}
