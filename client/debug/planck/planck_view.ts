/**
 * planck in the overlay: the reports of its worker in words, and its bodies above the game's
 * picture. A body of the stage has a thin outline, planck's a dotted one, both of the same
 * definitive tick, with a line from one to the other.
 */
import type { Camera } from "../../presentation/view.ts";
import { make, setText } from "../../ui/dom.ts";
import type { ReplayPort } from "../flight_log.ts";
import type { Outline, OutlinePose, PlanckReport, PlanckRequest } from "./planck_messages.ts";

const PLANCK_COLOUR = "#ff4fd8";
const STAGE_COLOUR = "#35d0a5";
const TURN = 2 * Math.PI;
/** A shorter line would not be seen, metres. */
const VISIBLE_METRES = 0.02;
/** A text for each smaller distance would hide the picture, metres. */
const TOLD_METRES = 0.1;

/** The part of a `Worker` that is used here. */
export interface PlanckPort {
  postMessage(request: PlanckRequest): void;
  onmessage: ((event: MessageEvent<PlanckReport>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

/** What planck makes of the match. */
export class PlanckView {
  readonly #port: PlanckPort;
  readonly #checkbox = make("input", { type: "checkbox", id: "show-planck", checked: true });
  readonly #words = make("span", { id: "debug-planck", textContent: "planck waits for a state" });
  readonly element = make(
    "p",
    {},
    make("label", {}, this.#checkbox, " planck's outlines"),
    make("br", {}),
    this.#words,
  );
  #report: PlanckReport | undefined;

  /** @param say called with a sentence at the end of each period */
  constructor(port: PlanckPort, say: (sentence: string) => void) {
    this.#port = port;
    // The keyboard belongs to the game again.
    this.#checkbox.addEventListener("change", () => this.#checkbox.blur());
    port.onmessage = ({ data }) => this.#receive(data, say);
    port.onerror = ({ message }) => {
      this.#report = undefined;
      setText(this.#words, `planck has stopped: ${message}`);
    };
  }

  /** A port to the replay's worker that tells planck's worker the same. */
  beside(replay: ReplayPort | undefined): ReplayPort | undefined {
    if (replay === undefined) return undefined;
    const planck = this.#port;
    return {
      postMessage(request) {
        replay.postMessage(request);
        if (request.type !== "poses") planck.postMessage(request);
      },
      get onmessage() {
        return replay.onmessage;
      },
      set onmessage(receive) {
        replay.onmessage = receive;
      },
      get onerror() {
        return replay.onerror;
      },
      set onerror(receive) {
        replay.onerror = receive;
      },
      terminate() {
        replay.terminate();
        planck.terminate();
      },
    };
  }

  /** @returns the number of planck's bodies that were drawn */
  draw(context: CanvasRenderingContext2D, camera: Camera, ratio: number): number {
    const report = this.#report;
    if (report === undefined || !this.#checkbox.checked) return 0;
    context.font = `${11 * ratio}px sans-serif`;
    context.textAlign = "center";

    for (const { stage, planck, metres, outlines } of report.bodies) {
      context.lineWidth = ratio;
      context.strokeStyle = STAGE_COLOUR;
      for (const outline of outlines) trace(context, camera, outline, stage);

      // Round dots, twice their width apart
      context.lineWidth = 3 * ratio;
      context.lineCap = "round";
      context.setLineDash([0, 6 * ratio]);
      context.strokeStyle = PLANCK_COLOUR;
      for (const outline of outlines) trace(context, camera, outline, planck);
      context.setLineDash([]);
      context.lineCap = "butt";

      if (metres < VISIBLE_METRES) continue;
      context.lineWidth = 1.5 * ratio;
      context.beginPath();
      context.moveTo(camera.xPx(stage.x), camera.yPx(stage.y));
      context.lineTo(camera.xPx(planck.x), camera.yPx(planck.y));
      context.stroke();
      if (metres < TOLD_METRES) continue;
      context.fillStyle = PLANCK_COLOUR;
      context.fillText(centimetres(metres), camera.xPx(planck.x), camera.yPx(planck.y) - 4 * ratio);
    }

    return report.bodies.length;
  }

  #receive(report: PlanckReport, say: (sentence: string) => void): void {
    const { period } = report;
    if (period !== undefined && period.tick !== this.#report?.period?.tick) {
      say(periodWords(period));
    }
    this.#report = report;
    setText(this.#words, reportWords(report));
    Object.assign(this.#words.dataset, {
      ticks: report.ticks,
      farthest: farthestOf(report).toFixed(4),
      ...period && { period: period.tick, periodFarthest: period.farthestMetres.toFixed(4) },
    });
  }
}

/** The figures of a period in words, for console and panel. */
function periodWords(
  { tick, ticks, bodies, meanMetres, farthestMetres, farthest }: NonNullable<
    PlanckReport["period"]
  >,
): string {
  return `planck after ${ticks} ticks (tick ${tick}): ${bodies} bodies, mean ${
    centimetres(meanMetres)
  }, farthest ${centimetres(farthestMetres)}${farthest && `, ${farthest}`}`;
}

function reportWords(report: PlanckReport): string {
  const { ticks, bodies, period } = report;
  const now = `planck since ${ticks} ticks: ${bodies.length} bodies, farthest ${
    centimetres(farthestOf(report))
  }`;
  return period === undefined ? now : `${now} · ${periodWords(period)}`;
}

function farthestOf({ bodies }: PlanckReport): number {
  return Math.max(0, ...bodies.map(({ metres }) => metres));
}

function centimetres(metres: number): string {
  return `${(100 * metres).toFixed(metres < 0.1 ? 2 : 0)} cm`;
}

/** Strokes a part of a body at a pose. */
function trace(
  context: CanvasRenderingContext2D,
  camera: Camera,
  outline: Outline,
  { x, y, angle }: OutlinePose,
): void {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const xPx = (localX: number, localY: number) => camera.xPx(x + cos * localX - sin * localY);
  const yPx = (localX: number, localY: number) => camera.yPx(y + sin * localX + cos * localY);

  context.beginPath();
  if ("radius" in outline) {
    const { radius, x: localX, y: localY } = outline;
    context.arc(xPx(localX, localY), yPx(localX, localY), camera.scale * radius, 0, TURN);
  } else {
    for (const [localX, localY] of outline.corners) {
      context.lineTo(xPx(localX, localY), yPx(localX, localY));
    }
    if (outline.isClosed) context.closePath();
  }
  context.stroke();
}
