/**
 * The debug overlay: it shows what the netcode does on this page, and what went wrong in the last
 * half minute. It reads the `DebugHost`, and changes only the network conditions. Our own page opens
 * it (`overlay.ts`), and so does a page of another author (`client/own_page/mounted_overlay.ts`).
 */
import { type SeatId, SEATS } from "../../shared/netcode/game.ts";
import type { DebugHost, DebugOverlay } from "../ui/debug_host.ts";
import { offerFile } from "../ui/dom.ts";
import type { Camera } from "../presentation/view.ts";
import type { PageFault } from "./contract_reports.ts";
import { BodyOverlay } from "./body_overlay.ts";
import { figuresOf, type NetworkVerdict, networkVerdictOf, WINDOW_MS } from "./figures.ts";
import { FlightLog, LOG_MS, type ReplayPort } from "./flight_log.ts";
import { FlightView } from "./flight_view.ts";
import { causeText, flightFiguresOf, type Naming } from "./flight_words.ts";
import { Graphs } from "./graphs.ts";
import { Panel } from "./panel.ts";
import type { PlanckView } from "./planck/planck_view.ts";
import { FINAL_AFTER_MS } from "./replay/delays.ts";
import { StepTimes } from "./step_times.ts";
import { traceOf } from "./trace.ts";
import { transportWords } from "./transport_words.ts";

/** The verdict in the lobby, and until the first state: there is nothing to judge. */
const IDLE: NetworkVerdict = { word: "idle", why: "until you play" };
/** How often figures change, ms; players could not read faster ones. */
const PERIOD_MS = 250;
/** How many parts a frame draws at most, so that one frame does not pay for all of them. */
const PARTS_PER_FRAME = 1;
/** How much longer a trace waits at most than the corrections up to the press need, ms. */
const SAVE_WAIT_MS = 3000;

/** What the overlay reads of a page. */
export type OverlayHost = Omit<DebugHost, "camera">;

/** Where an overlay shows, and what works for it. */
export interface OverlayPlace {
  /** Gets the panel: the body, or a shadow root. */
  readonly into: Node;
  /**
   * The game's canvas and camera, above which the overlay draws bodies; undefined on a page that
   * draws in its own way.
   */
  readonly picture: { readonly canvas: HTMLCanvasElement; readonly camera: Camera } | undefined;
  /** Replays the recording; without it the overlay shows no corrections. */
  readonly replay: ReplayPort | undefined;
  /** Undefined without `--check-planck`. */
  readonly planck: PlanckView | undefined;
}

export class OverlayView implements DebugOverlay {
  readonly #host: OverlayHost;
  readonly #log: FlightLog;
  readonly #flight: FlightView;
  readonly #panel: Panel;
  readonly #stepTimes: StepTimes;
  readonly #graphs: Graphs;
  /** Undefined without a picture. */
  readonly #bodyOverlay: BodyOverlay | undefined;
  readonly #planck: PlanckView | undefined;
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

  constructor(host: OverlayHost, { into, picture, replay, planck }: OverlayPlace) {
    this.#host = host;
    this.#planck = planck;
    this.#log = new FlightLog(host.telemetry.flight, planck?.beside(replay) ?? replay);
    this.#flight = new FlightView(this.#log, host.game.tickHz);
    this.#stepTimes = new StepTimes(host.clock);
    this.#panel = new Panel({
      flight: this.#flight.element,
      planck: planck?.element,
      hasPicture: picture !== undefined,
      stepTimes: this.#stepTimes.element,
      conditions: host.conditions,
      saveTrace: () => this.#savingSinceMs = host.clock.now(),
      close: host.close,
    });
    this.#graphs = new Graphs(this.#panel.graphs);
    into.appendChild(this.#panel.element);
    this.#bodyOverlay = picture &&
      new BodyOverlay(into, picture.canvas, picture.camera);
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
    this.#bodyOverlay?.close();
    this.#panel.element.remove();
  }

  #drawBodies(): void {
    const bodies = this.#bodyOverlay;
    if (bodies === undefined) return;
    const tick = this.#flight.frozenTick;
    const { poses } = this.#log;
    if (tick !== undefined) {
      if (poses?.tick === tick) {
        this.#panel.element.dataset.frozen = String(
          bodies.drawMoment(poses, this.#naming),
        );
      }
      return;
    }
    const drawn = bodies.draw(this.#host.match(), this.#panel.shown, this.#planck);
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

  get #verdict(): NetworkVerdict {
    const { clock, match, telemetry } = this.#host;
    if (match()?.session.simulation === undefined) return IDLE;
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
    const presenter = match();
    const session = presenter?.session;
    // Before a match there is no seat and no tick
    const game = {
      room: presenter?.room ?? "",
      seat: session?.seat ?? -1,
      head: session?.head ?? -1,
      definitiveTick: session?.definitiveTick ?? -1,
    };
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
