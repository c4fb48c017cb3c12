/**
 * What one client knows, tick by tick, beside the present:
 *
 *     ▐1f▌▐c0▌▐a7▌ ▢ ▢ ▢ ▢ │          chips: the hashes of definitive ticks, and ticks that are predicted
 *      ●   ●   ●   ● ○ ○ ○ │          a row for each seat: commands that are known, and that are not
 *      ●   ●   ●   ● ● ● ● │ ● ●      NPCs think ahead, so their commands are known before the present
 *
 * Ticks that are stepped again flash, and a front runs over them.
 */
import type { SeatId, Tick } from "../../../shared/netcode/game.ts";
import { type Context, contextOf, TURN } from "../../presentation/picture/canvas.ts";
import { FittedCanvas } from "../../presentation/picture/fitted_canvas.ts";
import type { History, RecordedView } from "../engine/history.ts";
import type { Truth } from "../engine/truth.ts";
import { AGAIN, PROVEN, QUIET, seatColour, TEXT, UNKNOWN, WRONG } from "./palette.ts";

/** Ticks left and right of the present. */
const TICKS_BEFORE = 15;
const TICKS_AFTER = 5;
/** How long a wrong future flashes, ms. */
const FLASH_MS = 360;
/** How long its second stepping is shown, ms. In truth it takes less than one. */
const SWEEP_MS = 160;
const PIXEL_RATIO_MAX = 2;
const HASH_DIGITS = 2;

export interface StripMoment {
  readonly side: number;
  readonly player: number;
  readonly ownSeat: SeatId;
  readonly view: RecordedView;
  readonly history: History;
  readonly truth: Truth;
  /** Seats that play, ascending. */
  readonly seats: readonly SeatId[];
  /** Whether this client compares hashes and knows commands by tick. */
  readonly isExact: boolean;
  readonly getsEarly: boolean;
  readonly atMs: number;
}

export class TickStrip {
  readonly #context: Context;
  readonly #fitted: FittedCanvas;

  constructor(canvas: HTMLCanvasElement) {
    this.#context = contextOf(canvas, { isClear: true });
    this.#fitted = new FittedCanvas(canvas);
  }

  paint(moment: StripMoment): void {
    const context = this.#context;
    const ratio = Math.min(PIXEL_RATIO_MAX, devicePixelRatio);
    const { width, height } = this.#fitted.fit(ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const frame = new Frame(context, moment, { width: width / ratio, height: height / ratio });
    frame.paintFutures();
    frame.paintChips();
    frame.paintCommands();
    frame.paintPresent();
  }
}

/** CSS pixels. Above the chips there is room for a wrong future that rises. */
const CHIP_HEIGHT = 18;
const TOP = 9;
const RISE = 9;

/** One picture of the strip. */
class Frame {
  readonly #context: Context;
  readonly #moment: StripMoment;
  readonly #height: number;
  readonly #tickPx: number;
  readonly #presentPx: number;
  readonly #first: Tick;
  readonly #last: Tick;
  readonly #verdicts = new Map<Tick, "proven" | "differs" | undefined>();
  /** By seat and tick, when the command became known here. */
  readonly #known = new Map<number, { readonly isEarly: boolean }>();

  constructor(
    context: Context,
    moment: StripMoment,
    { width, height }: { width: number; height: number },
  ) {
    this.#context = context;
    this.#moment = moment;
    this.#height = height;
    this.#tickPx = width / (TICKS_BEFORE + TICKS_AFTER);
    this.#presentPx = TICKS_BEFORE * this.#tickPx;
    const present = moment.view.moment;
    this.#first = Math.floor(present - TICKS_BEFORE) - 1;
    this.#last = Math.ceil(present + TICKS_AFTER);
    this.#collect();
  }

  #collect(): void {
    const { history, side, player, atMs, getsEarly } = this.#moment;
    history.eachRecent("verdicts", atMs, (each) => {
      if (each.side !== side || each.player !== player || each.tick < this.#first) return;
      if (!this.#verdicts.has(each.tick)) this.#verdicts.set(each.tick, each.verdict);
    });
    // The oldest news of a command counts, which is visited last.
    history.eachRecent("known", atMs, (each) => {
      if (each.player !== player || each.tick < this.#first) return;
      if (!each.isEarly || getsEarly) this.#known.set(keyOf(each.seat, each.tick), each);
    });
  }

  #xOf(tick: number): number {
    return this.#presentPx + (tick - this.#moment.view.moment) * this.#tickPx;
  }

  /** Bands over ticks that were stepped again: the wrong future rises and fades. */
  paintFutures(): void {
    const { history, side, player, atMs } = this.#moment;
    const context = this.#context;
    history.eachRecent("rollbacks", atMs, (rollback) => {
      const { fromTick, head } = rollback;
      const ageMs = atMs - rollback.atMs;
      if (rollback.side !== side || rollback.player !== player || ageMs > FLASH_MS) return;
      const from = this.#xOf(fromTick - 0.5);
      const to = this.#xOf(head + 0.5);
      const strength = 1 - ageMs / FLASH_MS;
      // A client of snapshots goes back with each of them, so its bands would be a single flicker.
      context.globalAlpha = (this.#moment.isExact ? 0.24 : 0.05) * strength;
      context.fillStyle = AGAIN;
      context.fillRect(from, TOP, to - from, this.#height - TOP);
      if (!this.#moment.isExact) return;
      this.#paintOldChips(fromTick, head, strength);
      const front = from + (to - from) * Math.min(1, ageMs / SWEEP_MS);
      context.globalAlpha = strength;
      context.fillRect(front - 1, TOP, 2, this.#height - TOP);
    });
    context.globalAlpha = 1;
  }

  /** The ticks as they were predicted first rise and fade. */
  #paintOldChips(from: Tick, to: Tick, strength: number): void {
    const context = this.#context;
    const width = Math.max(4, this.#tickPx - 3);
    const y = TOP - RISE * (1 - strength);
    context.globalAlpha = 0.9 * strength;
    context.strokeStyle = AGAIN;
    context.lineWidth = 1.5;
    for (let tick = Math.max(from, this.#first); tick <= to; tick++) {
      context.beginPath();
      context.roundRect(this.#xOf(tick) - width / 2, y, width, CHIP_HEIGHT, 4);
      context.stroke();
    }
  }

  paintChips(): void {
    const { view: { head, definitive }, truth, isExact } = this.#moment;
    const context = this.#context;
    const width = Math.max(4, this.#tickPx - 3);
    context.font = "600 10px ui-monospace, monospace";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let tick = Math.max(1, this.#first); tick <= Math.min(head, this.#last); tick++) {
      const x = this.#xOf(tick);
      const isDefinitive = tick <= definitive;
      const verdict = this.#verdicts.get(tick);
      context.beginPath();
      context.roundRect(x - width / 2, TOP, width, CHIP_HEIGHT, 4);
      if (!isDefinitive) {
        context.strokeStyle = UNKNOWN;
        context.lineWidth = 1.5;
        context.stroke();
        continue;
      }
      context.fillStyle = verdict === "differs" ? WRONG : isExact ? PROVEN : UNKNOWN;
      context.fill();
      if (!isExact || width < 13) continue;
      const hash = truth.ranAt(tick)?.hash;
      context.fillStyle = "#0b2417";
      const text = hash?.toString(16).slice(-HASH_DIGITS).padStart(HASH_DIGITS, "0") ?? "";
      context.fillText(verdict === "differs" ? "≠" : text, x, TOP + CHIP_HEIGHT / 2 + 0.5);
    }
  }

  paintCommands(): void {
    const { seats, ownSeat, isExact, view: { head, definitive } } = this.#moment;
    const context = this.#context;
    const top = TOP + CHIP_HEIGHT + 7;
    const rowPx = Math.min(11, (this.#height - top) / Math.max(1, seats.length));
    const radius = Math.min(4, rowPx / 2 - 1);
    seats.forEach((seat, row) => {
      const y = top + rowPx * (row + 0.5);
      const colour = seatColour(seat);
      context.strokeStyle = context.fillStyle = colour;
      for (let tick = Math.max(1, this.#first); tick <= this.#last; tick++) {
        const known = this.#known.get(keyOf(seat, tick));
        const isGiven = seat === ownSeat && tick <= head;
        const isKnown = isGiven || tick <= definitive || isExact && known !== undefined;
        if (!isKnown && tick > head) continue;
        context.beginPath();
        context.arc(this.#xOf(tick), y, radius, 0, TURN);
        if (isKnown) context.fill();
        else {
          context.globalAlpha = 0.45;
          context.lineWidth = 1;
          context.stroke();
          context.globalAlpha = 1;
        }
        if (isKnown && isExact && known?.isEarly && tick > definitive) this.#ring(tick, y, radius);
      }
    });
  }

  /** Marks a command that was announced between two ticks. */
  #ring(tick: Tick, y: number, radius: number): void {
    const context = this.#context;
    context.beginPath();
    context.arc(this.#xOf(tick), y, radius + 2, 0, TURN);
    context.lineWidth = 1.5;
    context.save();
    context.strokeStyle = TEXT;
    context.stroke();
    context.restore();
  }

  /** The line at the moment that the picture shows. */
  paintPresent(): void {
    const context = this.#context;
    context.fillStyle = TEXT;
    context.fillRect(this.#presentPx - 1, 0, 2, this.#height);
    context.fillStyle = QUIET;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText("now", this.#presentPx + 6, TOP + CHIP_HEIGHT / 2);
  }
}

function keyOf(seat: SeatId, tick: Tick): number {
  return tick * 32 + seat;
}
