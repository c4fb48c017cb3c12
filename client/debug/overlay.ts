/**
 * The debug overlay: it shows what the netcode does on this page, and what went wrong in the last
 * half minute. It is a separate script, which the page fetches when a player first opens it. It
 * reads the `DebugHost`, and changes only the network conditions.
 */
import { type SeatId, SEATS } from "../../shared/netcode/game.ts";
import type { DebugHost, DebugOverlay, OpenDebugOverlay } from "../ui/debug_host.ts";
import { findElement, offerFile } from "../ui/dom.ts";
import type { PageFault } from "./contract_reports.ts";
import { BodyOverlay } from "./body_overlay.ts";
import { figuresOf, networkVerdictOf, WINDOW_MS } from "./figures.ts";
import { FlightLog, LOG_MS, type ReplayPort } from "./flight_log.ts";
import { FlightView } from "./flight_view.ts";
import { causeText, flightFiguresOf, type Naming } from "./flight_words.ts";
import { Graphs } from "./graphs.ts";
import { Panel } from "./panel.ts";
import { PlanckView } from "./planck/planck_view.ts";
import { saveLag } from "./lag/save_lag.ts";
import { FINAL_AFTER_MS } from "./replay/delays.ts";
import { StepTimes } from "./step_times.ts";
import { traceOf } from "./trace.ts";
import { transportWords } from "./transport_words.ts";

/** How often figures change, ms; players could not read faster ones. */
const PERIOD_MS = 250;
/** How many parts a frame draws at most, so that one frame does not pay for all of them. */
const PARTS_PER_FRAME = 1;
/** How much longer a trace waits at most than the corrections up to the press need, ms. */
const SAVE_WAIT_MS = 3000;

class Overlay implements DebugOverlay {
  readonly #host: DebugHost;
  readonly #log: FlightLog;
  readonly #flight: FlightView;
  readonly #panel: Panel;
  readonly #stepTimes: StepTimes;
  readonly #graphs: Graphs;
  readonly #bodyOverlay: BodyOverlay;
  /** Undefined without `--check-planck`. */
  readonly #planck = openPlanck();
  /** All seats' names so far, because a row may name a player who left. */
  readonly #names = new Map<SeatId, string>();
  readonly #parts: readonly (() => void)[];
  #nextPart = 0;
  #partsDueMs = -Infinity;
  /** Frames since `#countedAtMs`. */
  #frames = 0;
  #countedAtMs = -Infinity;
  #framesPerSecond = Infinity;
  #markCount = 0;
  #faultCount = 0;
  /** When the player pressed "Save the figures"; undefined while no save is pending. */
  #savingSinceMs: number | undefined;

  constructor(host: DebugHost) {
    this.#host = host;
    const replay = openReplayWorker();
    this.#log = new FlightLog(host.telemetry.flight, this.#planck?.beside(replay) ?? replay);
    this.#flight = new FlightView(this.#log);
    this.#stepTimes = new StepTimes(host.clock);
    this.#panel = new Panel({
      flight: this.#flight.element,
      planck: this.#planck?.element,
      stepTimes: this.#stepTimes.element,
      conditions: host.conditions,
      saveTrace: () => this.#savingSinceMs = host.clock.now(),
      close: host.close,
    });
    this.#graphs = new Graphs(this.#panel.graphs);
    this.#bodyOverlay = new BodyOverlay(
      document.body,
      findElement(document, "#arena"),
      host.camera,
    );
    const graphs = Array.from({ length: this.#graphs.count }, (_, i) => () => this.#showGraph(i));
    this.#parts = [
      () => this.#showFigures(),
      () => this.#stepTimes.show(),
      () => this.#flight.showLanes(this.#naming),
      () => this.#flight.showRows(this.#naming),
      ...graphs,
    ];
  }

  draw(): void {
    const nowMs = this.#host.clock.now();
    this.#frames++;
    this.#stepTimes.watch(this.#host.match()?.session.simulation);
    this.#drawBodies();
    this.#addMarks(nowMs);
    if (this.#flight.frozenTick === undefined || this.#flight.isBusy) this.#log.advance(nowMs);
    this.#saveIfComplete(nowMs);
    if (this.#flight.frozenTick !== undefined) return this.#flight.showRows(this.#naming);
    for (let i = 0; i < PARTS_PER_FRAME && nowMs >= this.#partsDueMs; i++) {
      this.#parts[this.#nextPart]!();
      this.#nextPart = (this.#nextPart + 1) % this.#parts.length;
      if (this.#nextPart === 0) this.#partsDueMs = nowMs + PERIOD_MS;
    }
  }

  close(): void {
    this.#stepTimes.close();
    this.#log.close();
    this.#graphs.close();
    this.#bodyOverlay.close();
    this.#panel.element.remove();
  }

  #drawBodies(): void {
    const tick = this.#flight.frozenTick;
    const { poses } = this.#log;
    if (tick !== undefined) {
      if (poses?.tick === tick) {
        this.#panel.element.dataset.frozen = String(
          this.#bodyOverlay.drawMoment(poses, this.#naming),
        );
      }
      return;
    }
    const drawn = this.#bodyOverlay.draw(this.#host.match(), this.#panel.shown, this.#planck);
    Object.assign(this.#panel.element.dataset, drawn);
  }

  #showGraph(index: number): void {
    this.#graphs.show(index, this.#host.telemetry.rows, (tick) => this.#log.lanes.lateAt(tick));
  }

  #showFigures(): void {
    const { clock, match, telemetry } = this.#host;
    const nowMs = clock.now();
    this.#framesPerSecond = this.#frames * 1000 / (nowMs - this.#countedAtMs) || Infinity;
    this.#frames = 0;
    this.#countedAtMs = nowMs;
    for (const { seat, name } of match()?.hud("").scores ?? []) this.#names.set(seat, name);
    const pictures = { framesPerSecond: this.#framesPerSecond, rung: this.#host.qualityRung() };
    this.#panel.show(this.#figures(telemetry.rows, nowMs), this.#verdict, pictures);
    this.#panel.showFlight(this.#flightFigures, this.#offsets);
    const session = match()?.session;
    if (session !== undefined) this.#panel.showTransport(transportWords(session));
  }

  #figures(rows: DebugHost["telemetry"]["rows"], nowMs: number) {
    return figuresOf(rows, nowMs, (tick) => this.#log.lanes.lateAt(tick));
  }

  get #ownSeat(): SeatId {
    return this.#host.match()?.session.seat ?? -1;
  }

  get #naming(): Naming {
    return { ownSeat: this.#ownSeat, nameOf: (seat) => this.#names.get(seat) ?? `seat ${seat}` };
  }

  get #flightFigures() {
    return flightFiguresOf(this.#log.rows, this.#host.clock.now() - WINDOW_MS, this.#ownSeat);
  }

  get #offsets(): { own: number; farthest: number } {
    const own = this.#ownSeat;
    let farthest = 0;
    for (let seat = 0; seat < SEATS; seat++) {
      farthest = Math.max(farthest, this.#log.offsetMetres(seat));
    }
    return { own: own < 0 ? 0 : this.#log.offsetMetres(own), farthest };
  }

  get #verdict() {
    const { clock, match, telemetry } = this.#host;
    const flight = this.#flightFigures;
    return networkVerdictOf(this.#figures(telemetry.rows, clock.now()), {
      silentMs: match()?.silentMs ?? Infinity,
      framesPerSecond: this.#framesPerSecond,
      flight,
      worstCause: flight.worst && causeText(flight.worst, this.#naming),
    });
  }

  /** Adds new marks and faults to the log, including those from before the overlay was opened. */
  #addMarks(nowMs: number): void {
    const { marks } = this.#host;
    const faults = pageFaults();
    for (const fault of faults.slice(Math.min(this.#faultCount, faults.length))) {
      this.#log.addFault(fault);
    }
    this.#faultCount = faults.length;
    for (const atMs of marks.slice(Math.min(this.#markCount, marks.length))) {
      if (atMs > nowMs - LOG_MS) this.#log.addMark(atMs);
    }
    this.#markCount = marks.length;
  }

  /** Saves the trace once all corrections up to the press have their causes. */
  #saveIfComplete(nowMs: number): void {
    const pressedMs = this.#savingSinceMs;
    if (pressedMs === undefined) return;
    const isComplete = this.#log.untilMs >= pressedMs + FINAL_AFTER_MS ||
      this.#flight.frozenTick !== undefined;
    const isSaved = isComplete || nowMs > pressedMs + FINAL_AFTER_MS + SAVE_WAIT_MS;
    this.#panel.setSaving(!isSaved);
    if (!isSaved) return;
    this.#savingSinceMs = undefined;
    this.#saveTrace(pressedMs);
  }

  #saveTrace(nowMs: number): void {
    const { match, telemetry: { rows }, conditions } = this.#host;
    const log = this.#log;
    const { session, room } = match() ?? {};
    const { seat = -1, head = -1, definitiveTick = -1 } = session ?? {};
    const game = { room: room ?? "", seat, head, definitiveTick };
    const flight = {
      rows: log.rows,
      lanes: log.lanes,
      naming: this.#naming,
      sightOf: (correction: Parameters<FlightLog["sightOf"]>[0]) => log.sightOf(correction),
    };
    const { userAgent } = navigator;
    const trace = traceOf({
      rows,
      nowMs,
      game,
      quality: { ...conditions },
      verdict: this.#verdict,
      userAgent,
      flight,
    });
    offerFile(JSON.stringify(trace), `wyvern-${game.room}-${game.head}.json`);
  }
}

/** Reads the list that the script of `deno task dev` defines (`client/build/live_reload.ts`). */
function pageFaults(): readonly PageFault[] {
  return (globalThis as { wyvernFaults?: readonly PageFault[] }).wyvernFaults ?? [];
}

/** Starts the worker. The build writes its name into a data attribute in index.html. */
function openReplayWorker(): ReplayPort | undefined {
  const { overlayWorker } = document.body.dataset;
  return overlayWorker === undefined
    ? undefined
    : new Worker(new URL(overlayWorker, import.meta.url), { type: "module" });
}

/** A page that was built with `--check-planck` names the worker in the same way. */
function openPlanck(): PlanckView | undefined {
  const { planckWorker } = document.body.dataset;
  if (planckWorker === undefined) return undefined;
  const worker = new Worker(new URL(planckWorker, import.meta.url), { type: "module" });
  return new PlanckView(worker, (sentence) => console.info(`Wyvern: ${sentence}`));
}

export const openOverlay: OpenDebugOverlay = (host) => new Overlay(host);

export { saveLag };
