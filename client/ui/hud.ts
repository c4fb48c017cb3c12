/**
 * The words and numbers around the arena: plain elements above the canvas, so that they can be read aloud, zoomed and
 * selected. `show` may be called for every picture: it touches an element only when its text changes.
 */
import { PLAYER_SEATS } from "../../shared/netcode/game.ts";
import { findElement } from "./dom.ts";
import { ResultPanel } from "./result_panel.ts";
import type { HudValues } from "../games/dragons/scene.ts";
import { type Score, Scoreboard } from "./scoreboard.ts";
import { setHidden, setText } from "./showing.ts";

/** The clock stands out for this long before the end of a round, seconds. */
const LAST_SECONDS = 10;

/** Minutes and seconds, as a clock shows them; it is 0:00 only when nothing is left. */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** What tells a watcher that no dragon is his, and why where that can be seen from the scores. */
export function spectatorText(scores: readonly Score[]): string {
  const players = scores.filter(({ npc }) => !npc).length;
  return players >= PLAYER_SEATS ? "You are watching: the room is full" : "You are watching";
}

const TEXTS = ["room-code", "notice", "watching", "clock", "round", "ping"] as const;

export class Hud {
  readonly #screen: HTMLElement;
  readonly #texts: Readonly<Record<typeof TEXTS[number], HTMLElement>>;
  readonly #timer: HTMLElement;
  readonly #list: HTMLElement;
  readonly #scoreboard: Scoreboard;
  readonly #result: ResultPanel;

  /** @param root holds the markup of index.html: the document or an element. @throws Error where a part is missing */
  constructor(root: ParentNode) {
    this.#screen = findElement(root, "#hud");
    this.#timer = findElement(root, "#timer");
    this.#list = findElement(root, "#scores");
    this.#scoreboard = new Scoreboard(this.#list);
    this.#result = new ResultPanel(root);
    const texts = TEXTS.map((id) => [id, findElement(root, `#${id}`)] as const);
    this.#texts = Object.fromEntries(texts) as Record<typeof TEXTS[number], HTMLElement>;
  }

  /** Shows the values and, where it was hidden, itself. */
  show(values: HudValues): void {
    setHidden(this.#screen, false);
    const texts = this.#texts;
    setText(texts["room-code"], `Room ${values.room}`);
    setText(texts.notice, values.notice);
    setHidden(texts.watching, !values.isSpectating);
    if (values.isSpectating) setText(texts.watching, spectatorText(values.scores));
    setText(texts.ping, `${Math.round(values.pingMs)} ms`);
    this.#showRound(values);
  }

  hide(): void {
    this.#screen.hidden = true;
  }

  /** The clock and the scores beside the fight, or in their place the result. */
  #showRound(values: HudValues): void {
    const playing = values.phase === "playing";
    setHidden(this.#timer, !playing);
    setHidden(this.#list, !playing);
    this.#result.show(values);
    if (!playing) return;
    setText(this.#texts.clock, clockText(values.secondsLeft));
    setText(this.#texts.round, `Round ${values.round}`);
    this.#timer.classList.toggle("last", values.secondsLeft <= LAST_SECONDS);
    this.#scoreboard.show(values.scores);
  }
}
