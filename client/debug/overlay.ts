/**
 * The debug overlay: it shows what the netcode does on this page. It is a script of its own, which the page fetches
 * when a player first opens it. It reads the `DebugHost`, and changes nothing but the network conditions.
 */
import type { DebugHost, DebugOverlay, OpenDebugOverlay } from "../ui/debug_host.ts";
import { figuresOf, networkVerdictOf } from "./figures.ts";
import { BodyOverlay } from "./body_overlay.ts";
import { Graphs } from "./graphs.ts";
import { Panel } from "./panel.ts";
import { download, traceOf } from "./trace.ts";

/** Nobody can read figures that change more often, ms. */
const PERIOD_MS = 250;

class Overlay implements DebugOverlay {
  readonly #host: DebugHost;
  readonly #panel: Panel;
  readonly #graphs: Graphs;
  readonly #bodyOverlay: BodyOverlay;
  #shownAtMs = -Infinity;
  /** Frames since then. */
  #frames = 0;
  #framesPerSecond = Infinity;

  constructor(host: DebugHost) {
    this.#host = host;
    this.#panel = new Panel({ conditions: host.conditions, saveTrace: () => this.#saveTrace(), close: host.close });
    this.#graphs = new Graphs(this.#panel.graphs);
    this.#bodyOverlay = new BodyOverlay(document.body, host.camera);
  }

  draw(): void {
    const { clock, match } = this.#host;
    const nowMs = clock.now();
    const drawn = this.#bodyOverlay.draw(match(), this.#panel.shown);
    Object.assign(this.#panel.element.dataset, drawn);
    this.#frames++;
    if (nowMs < this.#shownAtMs + PERIOD_MS) return;
    this.#framesPerSecond = this.#frames * 1000 / (nowMs - this.#shownAtMs) || Infinity;
    this.#frames = 0;
    this.#shownAtMs = nowMs;
    const { rows } = this.#host.telemetry;
    this.#panel.show(figuresOf(rows, nowMs), this.#verdict, this.#framesPerSecond);
    this.#graphs.show(rows);
  }

  close(): void {
    this.#graphs.close();
    this.#bodyOverlay.close();
    this.#panel.element.remove();
  }

  get #verdict() {
    const { clock, match, telemetry } = this.#host;
    const silentMs = match()?.silentMs ?? Infinity;
    return networkVerdictOf(figuresOf(telemetry.rows, clock.now()), {
      silentMs,
      framesPerSecond: this.#framesPerSecond,
    });
  }

  #saveTrace(): void {
    const { clock, match, telemetry: { rows }, conditions } = this.#host;
    const { session, room } = match() ?? {};
    const { seat = -1, head = -1, definitiveTick = -1 } = session ?? {};
    const game = { room: room ?? "", seat, head, definitiveTick };
    const { userAgent } = navigator;
    download(
      traceOf({ rows, nowMs: clock.now(), game, quality: { ...conditions }, verdict: this.#verdict, userAgent }),
    );
  }
}

export const openOverlay: OpenDebugOverlay = (host) => new Overlay(host);
