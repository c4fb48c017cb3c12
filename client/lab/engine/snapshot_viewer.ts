/**
 * A client that gets snapshots, as most engines have it. Its mode says what it does with them:
 *
 *     echo            draws the newest one
 *     interpolation   draws two ticks before the newest, between two of them
 *     own-body        draws the own body from a prediction, and all others as interpolation does
 *     assumed         draws everybody from the prediction
 *
 * The prediction adopts a snapshot and steps to the head, with the own commands since then and with
 * those that the game assumes for all others. It is rounded, so it is a little off, and each
 * snapshot corrects it.
 */
import { BodyList } from "../../../shared/body_list.ts";
import type { Commands, SeatId, Tick } from "../../../shared/netcode/game.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { LooseCommand, LooseGame, LooseSimulation } from "../../game_kit/loose_types.ts";
import { ErrorSmoother } from "../../presentation/error_smoother.ts";
import { PoseInterpolator } from "../../presentation/pose_interpolator.ts";
import { drawInto } from "./drawn_poses.ts";
import { SnapshotDecoder } from "./snapshots.ts";
import type { SnapshotMode } from "./techniques.ts";
import type { ViewedFrame, Viewer, ViewerStats } from "./viewer.ts";

/** How far behind the newest expected snapshot interpolation draws, ticks: 0.1 s at 20 Hz. */
const INTERPOLATION_TICKS = 2;
/** Snapshots that wait to be drawn. */
const KEPT_MAX = 16;
/** The share of a new measurement in the estimate of when snapshots arrive. */
const CLOCK_GAIN = 0.05;
/** As far as a session resimulates. */
const AHEAD_TICKS_MAX = 32;

/** What the viewer reads from its player's own session: the same clock as all techniques. */
export interface OwnClock {
  readonly seat: SeatId;
  readonly head: Tick;
  fraction(): number;
}

export interface SnapshotViewerOptions {
  readonly game: LooseGame;
  readonly mode: SnapshotMode;
  readonly clock: Clock;
  readonly ordered: boolean;
  readonly own: OwnClock;
  readonly start: () => LooseSimulation;
  /** The player's own command for a tick that is not in the future. */
  readonly ownCommandAt: (tick: Tick) => LooseCommand;
  readonly onRollback: (fromTick: Tick, head: Tick) => void;
}

interface Received {
  readonly tick: Tick;
  readonly bodies: BodyList;
  readonly commands: Commands<LooseCommand>;
  readonly poses: PoseList;
}

export class SnapshotViewer implements Viewer {
  readonly #options: SnapshotViewerOptions;
  readonly #decoder: SnapshotDecoder;
  /** Ascending by tick. */
  readonly #received: Received[] = [];
  readonly #shown: LooseSimulation;
  readonly #drawn = new PoseList();
  readonly #smoother: ErrorSmoother;
  readonly #interpolator: PoseInterpolator;
  /** The prediction at the head, and one tick later. */
  readonly #predicted: LooseSimulation;
  readonly #ahead: LooseSimulation;
  readonly #headState = new Snapshot(0);
  readonly #poses = { previous: new PoseList(), head: new PoseList(), ahead: new PoseList() };
  #basedOn: Received | undefined;
  #head: Tick = -1;
  /** The tick of a snapshot that arrives now, as estimated; undefined before the first. */
  #arrivalTicks: number | undefined;
  #arrivalMs = 0;
  #drawnMs: number;
  #bytes = 0;
  #messages = 0;
  #rollbacks = 0;
  #resimulated = 0;
  readonly nextDueMs = Infinity;

  constructor(options: SnapshotViewerOptions) {
    const { game, ordered, start, clock } = options;
    this.#options = options;
    this.#decoder = new SnapshotDecoder(game, { ordered });
    this.#shown = start();
    this.#predicted = start();
    this.#ahead = start();
    this.#smoother = new ErrorSmoother(game.tickHz);
    this.#interpolator = new PoseInterpolator(this.#smoother);
    this.#drawnMs = clock.now();
  }

  get seat(): SeatId {
    return this.#options.own.seat;
  }

  get stats(): ViewerStats {
    return {
      bytesDown: this.#bytes,
      messagesDown: this.#messages,
      rollbacks: this.#rollbacks,
      resimulatedTicks: this.#resimulated,
    };
  }

  /** Takes a snapshot that has arrived. @param message is not kept */
  receive(message: Uint8Array): void {
    this.#bytes += message.length;
    this.#messages++;
    const bodies = new BodyList();
    const commands = this.#decoder.decode(message, bodies);
    const newest = this.#received.at(-1)?.tick ?? -1;
    this.#measureArrival(bodies.tick);
    if (bodies.tick <= newest) return; // overtaken by a later one
    this.#options.game.bodies!.adopt(this.#shown, bodies);
    const poses = new PoseList();
    this.#shown.poses(poses);
    this.#received.push({ tick: bodies.tick, bodies, commands, poses });
    if (this.#received.length > KEPT_MAX) this.#received.shift();
  }

  /** Follows the ticks that arrive, slowly, because each of them is late by another jitter. */
  #measureArrival(tick: Tick): void {
    const nowMs = this.#options.clock.now();
    const expected = this.#expectedTicks(nowMs);
    this.#arrivalTicks = expected === undefined ? tick : expected + CLOCK_GAIN * (tick - expected);
    this.#arrivalMs = nowMs;
  }

  #expectedTicks(nowMs: number): number | undefined {
    if (this.#arrivalTicks === undefined) return undefined;
    return this.#arrivalTicks + (nowMs - this.#arrivalMs) * this.#options.game.tickHz / 1000;
  }

  advance(): void {
    const { mode, own } = this.#options;
    const newest = this.#received.at(-1);
    if (mode === "echo" || mode === "interpolation" || newest === undefined) return;
    if (own.head <= newest.tick || own.head - newest.tick > AHEAD_TICKS_MAX) return;
    if (this.#basedOn !== newest) this.#rebase(newest);
    else if (own.head > this.#head) this.#stepTo(own.head);
  }

  /** Adopts a snapshot, and predicts again from there. */
  #rebase(newest: Received): void {
    const { game, own, onRollback } = this.#options;
    game.bodies!.adopt(this.#predicted, newest.bodies);
    this.#basedOn = newest;
    this.#predicted.poses(this.#poses.head);
    if (this.#head > newest.tick) {
      this.#rollbacks++;
      this.#resimulated += this.#head - newest.tick;
      onRollback(newest.tick + 1, own.head);
    }
    this.#stepTo(own.head);
  }

  #stepTo(head: Tick): void {
    const { previous, head: headPoses, ahead } = this.#poses;
    const predicted = this.#predicted;
    while (predicted.tick < head) {
      predicted.poses(previous);
      predicted.step(this.#commandsFor(predicted.tick + 1));
    }
    this.#head = head;
    predicted.poses(headPoses);
    predicted.save(this.#headState);
    this.#ahead.load(this.#headState);
    this.#ahead.step(this.#commandsFor(head + 1));
    this.#ahead.poses(ahead);
  }

  #commandsFor(tick: Tick): Commands<LooseCommand> {
    const { game, ownCommandAt } = this.#options;
    const { tick: since, commands } = this.#basedOn!;
    return commands.map((command, seat) => {
      if (command === undefined) return undefined;
      return seat === this.seat ? ownCommandAt(tick) : game.assume(command, tick - since);
    });
  }

  frame(): ViewedFrame | undefined {
    const { mode, own, clock } = this.#options;
    const nowMs = clock.now();
    this.#smoother.decay(nowMs - this.#drawnMs);
    this.#drawnMs = nowMs;
    const newest = this.#received.at(-1);
    if (newest === undefined || own.seat < 0 || own.head < 0) return undefined;

    const moment = own.head + own.fraction();
    const times = { moment, head: own.head, definitive: newest.tick };
    if (mode === "echo") {
      this.#drawn.copyFrom(newest.poses);
      return { drawn: this.#drawn, ownMoment: newest.tick, ...times };
    }
    if (mode === "interpolation") {
      return { drawn: this.#drawn, ownMoment: this.#interpolate(nowMs, newest), ...times };
    }
    if (this.#basedOn === undefined) return undefined;
    this.#drawPrediction(own.fraction());
    if (mode === "own-body") this.#replaceOthers(nowMs, newest);
    return { drawn: this.#drawn, ownMoment: moment, ...times };
  }

  #drawPrediction(fraction: number): void {
    const input = { tick: this.#head, seat: this.seat, ...this.#poses };
    const segment = this.#interpolator.update(input, fraction);
    drawInto(this.#drawn, segment, { fraction, smoother: this.#smoother });
  }

  /** Draws all bodies but the own one as interpolation does. */
  #replaceOthers(nowMs: number, newest: Received): void {
    const predicted = this.#drawn.findBySeat(this.seat);
    const own = predicted && { ...predicted };
    this.#interpolate(nowMs, newest);
    const drawn = own && this.#drawn.find(own.entity);
    if (drawn !== undefined && drawn.teleports === own!.teleports) Object.assign(drawn, own);
  }

  /** Draws between two snapshots. @returns the moment that is drawn, in ticks */
  #interpolate(nowMs: number, newest: Received): number {
    const wanted = this.#expectedTicks(nowMs)! - INTERPOLATION_TICKS;
    const ticks = Math.min(wanted, newest.tick);
    const to = this.#received.find(({ tick }) => tick >= ticks) ?? newest;
    const from = this.#received.findLast(({ tick }) => tick <= ticks) ?? to;
    const span = Math.max(1, to.tick - from.tick);
    const fraction = Math.max(0, Math.min(1, (ticks - from.tick) / span));
    const drawn = this.#drawn;
    drawn.reset();
    for (let i = 0; i < to.poses.count; i++) {
      const end = to.poses.at(i);
      const begin = from.poses.find(end.entity);
      const pose = Object.assign(drawn.add(), end);
      if (begin === undefined || begin.teleports !== end.teleports) continue;
      pose.x = begin.x + (end.x - begin.x) * fraction;
      pose.y = begin.y + (end.y - begin.y) * fraction;
      pose.angle = begin.angle + (end.angle - begin.angle) * fraction;
    }
    return ticks;
  }

  /** Nobody sends this client a hash, so it cannot know. */
  verdictOf(): undefined {
    return undefined;
  }
}
