/**
 * Shows the match behind the lobby, which a worker plays (`title_worker.ts`). The visitor has the
 * first seat, so that the colour they choose shows. Until the first tick has come, and where there
 * are no workers, the field is empty. A match whose worker falls silent stands still from then on.
 */
import type { GameEvent, SeatId } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../shared/snapshot.ts";
import { mediaQuery, optional } from "../input/optional.ts";
import type { PresentedEvent } from "../presentation/event_reconciler.ts";
import { ErrorSmoother } from "../presentation/error_smoother.ts";
import { type ComposerOptions, KitComposer, type KitFrame } from "./kit_frame.ts";
import type { LooseGame, LooseSimulation } from "./loose_types.ts";
import { titleSimulation, type TitleTick } from "./title_play.ts";
import type { TitleAnswer, TitleFault } from "./title_worker.ts";

/** After a longer gap, such as a hidden tab, the match goes on from where it was. */
const TICKS_PER_FRAME_MAX = 4;
/** How many ticks to have ready, so that a worker that is late for once shows nowhere. */
const TICKS_AHEAD = 3;
/** How long the worker may take for a tick, ms. An honest one takes 1, on a slow phone 10. */
const ANSWER_MS_MAX = 3_000;
/** How long it may take for the first one, ms, because it begins and plays two seconds at once. */
const BEGIN_MS_MAX = 20_000;
/** The most time that counts between two frames, ms: a hidden page draws none. */
const FRAME_MS_MAX = 250;
const NO_NAMES: ReadonlyMap<SeatId, string> = new Map();

/** A worker, as far as the title match uses it. */
export interface TitlePort {
  onmessage: ((event: MessageEvent<TitleAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(message: "next"): void;
  terminate(): void;
}

export class TitleMatch {
  readonly #game: LooseGame;
  readonly #simulation: LooseSimulation;
  readonly #composer: KitComposer;
  readonly #poses = { previous: new PoseList(), head: new PoseList() };
  readonly #smoother: ErrorSmoother;
  readonly #reducedMotion = mediaQuery("(prefers-reduced-motion: reduce)");
  readonly #snapshot = new Snapshot();
  readonly #begun: PresentedEvent[] = [];
  /** Ticks that have come and are not shown yet. */
  readonly #ready: TitleTick[] = [];
  /** The worker; undefined where there is none, and after its end. */
  #port: TitlePort | undefined;
  #asked = 0;
  #hasBegun = false;
  /** How long the worker has owed an answer, ms of frames. */
  #silentMs = 0;
  #frameMs: number | undefined;
  #nextTickMs: number | undefined;

  /** @param open opens the worker */
  constructor(game: LooseGame, options: ComposerOptions, open = openTitleWorker) {
    this.#game = game;
    this.#simulation = titleSimulation(game);
    this.#composer = new KitComposer(this.#simulation, options);
    this.#smoother = new ErrorSmoother(game.tickHz);
    const port = this.#port = open();
    if (port === undefined) return;
    port.onmessage = ({ data }) => this.#take(data);
    // A view may use the page when it loads, which the worker's copy of it cannot.
    port.onerror = (event) => event.preventDefault();
  }

  /** @param nowMs the page's clock */
  frame(nowMs: number): KitFrame {
    const tickMs = 1000 / this.#game.tickHz;
    this.#begun.length = 0;
    this.#watch(nowMs);

    // Show what is due; after a long gap begin anew
    if (this.#nextTickMs === undefined || nowMs - this.#nextTickMs > TICKS_PER_FRAME_MAX * tickMs) {
      this.#nextTickMs = nowMs;
    }
    while (nowMs >= this.#nextTickMs && this.#mayMove) {
      const tick = this.#ready.shift();
      if (tick === undefined) break;
      this.#show(tick);
      this.#nextTickMs += tickMs;
    }

    const fraction = Math.max(0, Math.min(1, 1 - (this.#nextTickMs - nowMs) / tickMs));
    const frame = this.#composer.compose({
      atMs: nowMs,
      simulation: this.#simulation,
      definitive: this.#simulation,
      extrapolated: undefined,
      poses: this.#poses,
      smoother: this.#smoother,
      names: NO_NAMES,
      ownSeat: 0,
      fraction,
      guessedTicks: () => 0,
      events: { begun: this.#begun, retracted: [], settled: [] },
    });

    frame.isTitle = true;
    return frame;
  }

  /** With reduced motion the match stands still at its first picture. */
  get #mayMove(): boolean {
    return !this.#hasBegun || !this.#reducedMotion.matches;
  }

  /** Asks for ticks, and ends a worker that owes one for too long. */
  #watch(nowMs: number): void {
    const elapsedMs = Math.min(FRAME_MS_MAX, nowMs - (this.#frameMs ?? nowMs));
    this.#frameMs = nowMs;
    if (this.#port === undefined) return;

    this.#silentMs = this.#asked === 0 ? 0 : this.#silentMs + elapsedMs;
    const msMax = this.#hasBegun ? ANSWER_MS_MAX : BEGIN_MS_MAX;
    if (this.#silentMs > msMax) {
      return this.#end({ message: `a tick takes longer than ${msMax / 1000} s`, stack: "" });
    }

    while (this.#asked + this.#ready.length < TICKS_AHEAD) {
      this.#asked++;
      this.#port.postMessage("next");
    }
  }

  #take(answer: TitleAnswer): void {
    if (this.#port === undefined) return;
    if ("fault" in answer) return this.#end(answer.fault);
    this.#asked--;
    this.#silentMs = 0;
    this.#ready.push(answer.tick);
  }

  /** The lobby can do without the animation. Its author wants to know. */
  #end({ message, stack }: TitleFault): void {
    this.#port?.terminate();
    this.#port = undefined;
    const error = new Error(`the match behind the lobby has ended: ${message}`);
    error.stack = `${error.message}\n${stack}`;
    reportError(error);
  }

  #show({ state, events }: TitleTick): void {
    const poses = this.#poses;
    this.#snapshot.setBytes(state);
    this.#simulation.load(this.#snapshot);
    poses.previous.copyFrom(poses.head);
    poses.head.reset();
    this.#simulation.poses(poses.head);
    if (!this.#hasBegun) poses.previous.copyFrom(poses.head);
    this.#hasBegun = true;
    for (const event of events) this.#begun.push(this.#presented(event));
  }

  #presented({ tick, kind, entity, x, y, other = -1, amount }: GameEvent): PresentedEvent {
    const seatOf = (id: number) => this.#poses.head.find(id)?.seat ?? -1;
    return {
      key: `${tick} ${kind} ${entity}`,
      tick,
      kind,
      x,
      y,
      seat: seatOf(entity),
      otherSeat: seatOf(other),
      amount,
    };
  }
}

/** @returns undefined on a page without a title match, and where the browser has no workers */
function openTitleWorker(): TitlePort | undefined {
  const { titleWorker } = document.body.dataset;
  if (titleWorker === undefined) return undefined;
  return optional(() => {
    const address = new URL(titleWorker, import.meta.url);
    return new Worker(address, { type: "module", name: "title" });
  }, undefined);
}
