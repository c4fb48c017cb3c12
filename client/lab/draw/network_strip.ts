/**
 * The way between the players and the server. Each message is a dot: commands travel to the right,
 * definitive ticks to the left. What has arrived too early waits in the player's queue at the
 * server.
 */
import { type Context, contextOf, TURN } from "../../presentation/picture/canvas.ts";
import { FittedCanvas } from "../../presentation/picture/fitted_canvas.ts";
import type { History, RecordedFrame } from "../engine/history.ts";
import { QUIET, seatColour, TEXT, UNKNOWN, WRONG } from "./palette.ts";

const PIXEL_RATIO_MAX = 2;
/** The places of players and server, CSS pixels from the edges. */
const LEFT = 92;
const RIGHT = 118;
const QUEUE_MAX = 8;
/** Where a lost message ends, as a share of its way, and how long its cross is seen, ms. */
const LOST_AT = 0.45;
const LOST_MS = 700;
/** Messages of the server are dots of this colour. */
const TICK_COLOUR = "#f1eee6";

export interface NetworkMoment {
  readonly frame: RecordedFrame;
  readonly history: History;
  /** The seats of the players, by index. */
  readonly seats: readonly number[];
  readonly names: readonly string[];
  /** The shortest way, ms: how fast lost messages seem to travel. */
  readonly oneWayMs: number;
  readonly atMs: number;
}

export class NetworkStrip {
  readonly #context: Context;
  readonly #fitted: FittedCanvas;

  constructor(canvas: HTMLCanvasElement) {
    this.#context = contextOf(canvas, { isClear: true });
    this.#fitted = new FittedCanvas(canvas);
  }

  paint(moment: NetworkMoment): void {
    const context = this.#context;
    const ratio = Math.min(PIXEL_RATIO_MAX, devicePixelRatio);
    const size = this.#fitted.fit(ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, size.width, size.height);
    const width = size.width / ratio;
    const height = size.height / ratio;
    const lanePx = height / moment.seats.length;
    moment.seats.forEach((seat, player) => {
      const y = lanePx * (player + 0.5);
      this.#paintLane(moment, { player, seat, y, width, lanePx });
    });
    this.#paintServer(moment, width, height);
  }

  #paintLane(
    { history, atMs, names, oneWayMs, frame }: NetworkMoment,
    { player, seat, y, width, lanePx }: {
      player: number;
      seat: number;
      y: number;
      width: number;
      lanePx: number;
    },
  ): void {
    const context = this.#context;
    const from = LEFT;
    const to = width - RIGHT;
    const apart = Math.min(7, lanePx / 5);
    context.fillStyle = context.strokeStyle = UNKNOWN;
    for (const offset of [-apart, apart]) context.fillRect(from, y + offset - 0.5, to - from, 1);

    // Messages on their way
    history.eachRecent("flights", atMs, ({ player: of, isUp, atMs: sentMs, dueMs, bytes }) => {
      if (of !== player) return;
      const isLost = dueMs === Infinity;
      const endMs = isLost ? sentMs + oneWayMs * LOST_AT + LOST_MS : dueMs;
      if (endMs < atMs) return;
      const share = isLost
        ? Math.min(LOST_AT, (atMs - sentMs) / Math.max(1, oneWayMs))
        : (atMs - sentMs) / Math.max(1, dueMs - sentMs);
      const x = isUp ? from + share * (to - from) : to - share * (to - from);
      const at = y + (isUp ? -apart : apart);
      if (isLost && share === LOST_AT) this.#cross(x, at);
      else {
        context.beginPath();
        context.arc(x, at, Math.min(6, 2.2 + Math.sqrt(bytes) / 5), 0, TURN);
        context.fillStyle = isUp ? seatColour(seat) : TICK_COLOUR;
        context.fill();
      }
    });

    // The player, and what waits for its tick
    context.beginPath();
    context.arc(from - 10, y, 7, 0, TURN);
    context.fillStyle = seatColour(seat);
    context.fill();
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = TEXT;
    context.fillText(names[player]!, from - 22, y);
    const waiting = new Set<number>();
    history.eachRecent("queued", atMs, ({ player: of, tick }) => {
      if (of === player && tick > frame.serverTick) waiting.add(tick);
    });
    context.fillStyle = seatColour(seat);
    for (let i = 0; i < Math.min(QUEUE_MAX, waiting.size); i++) {
      context.fillRect(to + 8 + i * 8, y - 5, 6, 10);
    }
  }

  #cross(x: number, y: number): void {
    const context = this.#context;
    context.strokeStyle = WRONG;
    context.lineWidth = 2;
    context.beginPath();
    for (const slope of [-1, 1]) {
      context.moveTo(x - 4, y - 4 * slope);
      context.lineTo(x + 4, y + 4 * slope);
    }
    context.stroke();
  }

  #paintServer({ frame }: NetworkMoment, width: number, height: number): void {
    const context = this.#context;
    const left = width - 50;
    context.beginPath();
    context.roundRect(left, 4, 46, height - 8, 8);
    context.fillStyle = frame.isPaused ? "#4a1f2a" : "#232a52";
    context.fill();
    context.strokeStyle = frame.isPaused ? WRONG : "#5b64a0";
    context.lineWidth = 1.5;
    context.stroke();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = QUIET;
    context.font = "10px system-ui, sans-serif";
    context.fillText(frame.isPaused ? "stands" : "server", left + 23, height / 2 - 8);
    context.fillStyle = TEXT;
    context.font = "600 12px ui-monospace, monospace";
    context.fillText(String(Math.max(0, frame.serverTick)), left + 23, height / 2 + 7);
  }
}
