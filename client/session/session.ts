/**
 * One client's connection to one match, without a screen. Pages draw it, bots play through it, and
 * the lab runs it on a virtual clock.
 *
 *     advance(now):  receive ticks → roll back where they contradict the prediction → send commands → predict due ticks
 *
 * All other work waits for `advance`. A message that arrives between two calls is decoded and
 * queued; a pong also gets its timestamp.
 */
import { WireError } from "../../shared/netcode/wire/range_coder.ts";
import type { Commands, SeatId, Simulation, Tick } from "../../shared/netcode/game.ts";
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
import { ReliableEncoder } from "../../shared/netcode/wire/client_messages.ts";
import { type Snapshot, SnapshotError } from "../../shared/snapshot.ts";
import { CommandSender } from "./command_sender.ts";
import type { InputDelayChoice } from "./input_delay.ts";
import type { JoinedMatch } from "./joined_match.ts";
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

const NO_NAMES: ReadonlyMap<SeatId, string> = new Map();

/** The connection was cut: no close frame was received (RFC 6455 §7.4.1). */
const CUT = 1006;

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
  /** The server's newest sentence for everybody, and when it came, ms on the clock. */
  notice: { readonly text: string; readonly atMs: number } | undefined;
  closeCode = 0;
  closeReason = "";
  /**
   * The stage in which the connection has ended, or which has taken too long; undefined before the
   * end.
   */
  endedIn: LinkStage | undefined;
  /**
   * Called when the local S(tick) differs from the server's; `copyState(tick, …)` then still has
   * it. For the pages of developers.
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

  /** Whether the seat is that of the token with which this session has joined. */
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

  /** The input delay in force, ticks 0 … 3, with a fraction while it changes. 0 unless playing. */
  get inputDelayTicks(): number {
    return this.#phase === "playing" ? this.#tickClock.inputDelayTicks : 0;
  }

  get roundTripMs(): number {
    return this.#tickClock.roundTripMs;
  }

  get isInSync(): boolean {
    return this.#joined !== undefined && !this.#joined.reconciler.isDesynced;
  }

  /**
   * Whether an NPC gives the local seat's commands, because this client sent none, or the same for
   * long.
   */
  get isPlayedByNpc(): boolean {
    return this.#joined !== undefined && this.#joined.reconciler.npcUntil > this.definitiveTick;
  }

  /** Whether this client receives the body stream. */
  get isOnBodyStream(): boolean {
    return this.#joined?.reconciler.bodyStreamRequest !== undefined;
  }

  /**
   * The local hash, 32 bits, of a tick whose hash agreed with the server's; undefined for any other
   * tick.
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
   * The commands with which this client stepped a recent tick last, for observers. Valid until the
   * next `advance`.
   */
  commandsOf(tick: Tick): Commands<Command> {
    return this.#joined?.predictor.commandsOf(tick) ?? [];
  }

  /**
   * Whether this seat's command for a tick up to the head is known. The simulation used another one
   * if it is not.
   */
  isKnown(tick: Tick, seat: SeatId): boolean {
    return this.#joined?.predictor.isKnown(tick, seat) ?? false;
  }

  /**
   * Writes the commands of the tick after the head, as known now, to `out` by seat. If the local
   * seat's command for that tick is not issued yet, it is the one that its input would give now.
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
   * The latest time at which `advance` has work again, ms on the clock; Infinity when closed. An
   * arrival may make it earlier.
   */
  get nextDueMs(): number {
    if (this.#phase === "closed") return Infinity;
    const pingMs = this.#isHelloSent ? this.#tickClock.nextPingMs : Infinity;
    const dueMs = Math.min(pingMs, this.#watch.dueMs);
    if (this.#phase === "joining") return dueMs;
    return Math.min(dueMs, this.datagrams?.nextDueMs ?? Infinity, this.#tickClock.nextTickMs);
  }

  /**
   * The network may be another one now: the browser is online again, or the machine has slept. A
   * link that stays silent is given up soon.
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

    // Pings go out while the welcome is on its way, but only once the socket is open.
    this.#tickClock.ping(nowMs, this.#isHelloSent);
    this.datagrams?.advance(nowMs, joined?.reconciler.acknowledgedTick ?? -1);
    if (joined === undefined) return;

    // What has arrived
    if (!this.#receiveTicks(joined, nowMs)) return;
    if (this.#phase === "joining" && !this.#begin(nowMs, joined)) return joined.sender.confirm();

    // What this page does: its commands, its prediction
    this.#tickClock.advance(nowMs, this.#inputDelay);
    const target = Math.floor(this.#tickClock.headTicks);

    this.#rewindTo(joined, target);
    joined.sender.sendTo(this.#tickClock.commandTick, {
      leadMsOf: (tick) => this.#tickClock.timeDilation.leadMsOf(tick, this.#options.clock.now()),
      tooLateTick: this.#tickClock.tooLateTick,
      nowMs,
    });
    this.#predictTo(joined, target);

    // Whether it is still in step
    const desyncedTick = joined.reconciler.check();
    if (desyncedTick !== undefined) this.onDesync?.(desyncedTick);

    this.#poses.refresh(joined.simulation);
  }

  /**
   * Ends the connection at once with code 1006, whatever its link does. The seat stays reserved.
   * The link's own close event may take minutes on a dead network, so nothing waits for it.
   */
  giveUp(reason: string): void {
    this.#end(CUT, "");
    this.#options.link.close(CloseCode.helloMissing, reason);
  }

  /** Leaves the match. Close code 1000 also frees the seat (SPEC 3.2). */
  close(): void {
    this.#options.link.close(1000, "left");
  }

  /** The part of the connection that comes next. */
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

  /** The connection has ended. The first reason counts. */
  #end(code: number, reason: string): void {
    if (this.#phase === "closed") return;
    this.endedIn = this.#stage;
    this.#phase = "closed";
    this.closeCode = code;
    this.closeReason = reason;
  }

  /** A spectator has no commands, so nothing is gained if their head waits. */
  get #inputDelay(): InputDelayChoice {
    return this.seat < 0 ? 0 : this.#options.inputDelay?.() ?? 0;
  }

  get #isHelloSent(): boolean {
    return this.#joined !== undefined || this.#options.link.bufferedBytes === 0;
  }

  readonly #send = (message: ClientMessage<Command> | ClientDatagram<Command>): void => {
    const { link } = this.#options;
    const isReliable = message.type === "hello" || message.type === "back";
    // A session of datagrams alone says nothing but its hello until their code is there.
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

      // The messages that are no ticks, and the pong that rides on one
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

  /** @param offer of a path to open */
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

  #onWelcome({ seat, isResumed, resume, npcs, seed, choices }: Welcome): void {
    if (this.#joined !== undefined) throw new WireError("a second welcome");
    const { game, onEvents, commandSource, link } = this.#options;
    const { stats } = this;

    // The match as this client simulates it.
    const start = () => game.start({ npcs, choices }, seed);
    const simulation = start();
    const predictor = new Predictor(game, {
      simulation,
      seat,
      previousPoses: this.poses.previous,
      onStep: () => {
        this.#poses.invalidate();
        onEvents?.(simulation.events, simulation.tick);
      },
    });

    // Correcting it with what the server sends.
    const bodyStream = this.#options.bodyStream?.open({ predictor, start });
    const reconciler = new Reconciler(predictor, { seat, stats, bodyStream });

    // Evaluated when the command is sent, because earlier work in the same `advance` takes real
    // time.
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

    this.#joined = { seat, isResumed, resume, start, simulation, predictor, reconciler, sender };
  }

  /** Starts to play once a state and enough pongs have arrived. @returns whether it has started */
  #begin(nowMs: number, { sender }: JoinedMatch<Command, Sim>): boolean {
    const clock = this.#tickClock;
    const options = { isSpectator: this.seat < 0, inputDelay: this.#inputDelay };
    if (this.definitiveTick < 0 || !clock.begin(nowMs, options)) return false;
    sender.begin(clock.commandTick);
    this.#phase = "playing";
    return true;
  }

  /**
   * @returns false if a message was wrong and the link is closed: there is no state to predict from
   */
  #receiveTicks(joined: JoinedMatch<Command, Sim>, nowMs: number): boolean {
    const { reconciler } = joined;
    let message = this.#tickReceiver.next(reconciler);
    if (message === undefined && !reconciler.hasEarly) {
      this.#applyAdvice(nowMs);
      return true;
    }

    // A correction begins with what is drawn now, and ends below with what is drawn then
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

    // The time before the rollback: one `advance` and its frame show one moment.
    this.#applyAdvice(nowMs);
    if (resimulated > 0) {
      this.#poses.endCorrection(joined.simulation, { seat: this.seat, resimulated });
    }
    return true;
  }

  #applyAdvice(nowMs: number): void {
    const adviceMs = this.#tickReceiver.consumeAdvice(); // 0 if no advice has arrived
    if (adviceMs > 0) this.#tickClock.advise(nowMs, adviceMs);
  }

  /**
   * If the clock has jumped back, the head follows it at once. Otherwise the picture would stand
   * still, and no key would act, until the clock has caught up.
   */
  #rewindTo({ predictor, reconciler, simulation }: JoinedMatch<Command, Sim>, target: Tick): void {
    const tick = Math.max(target, reconciler.received);
    if (predictor.head <= tick) return;
    this.#poses.beginCorrection();
    predictor.rewind(tick);
    this.#poses.endCorrection(simulation, { seat: this.seat, resimulated: 1 });
  }

  /**
   * Predicts the ticks that are due. The budget limits how far the head is ahead of the definitive
   * tick, so that a rollback is neither too deep nor too slow.
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
