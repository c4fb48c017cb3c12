/**
 * The words and numbers around the arena: plain elements above the canvas, so that they can be read aloud, zoomed and
 * selected. `show` may be called for every picture: it touches an element only when its text changes.
 */
import { findElement } from "./dom.ts";
import { lookOf } from "./view/palette.ts";
import type { HudValues } from "./scene.ts";

/** The best of them; a longer list would hide the arena. The player's own row is always among them. */
export const SCORE_ROWS_MAX = 8;

type Score = HudValues["scores"][number];

/** The rows to show of a sorted scoreboard: the best, and in the last row the player where he is not one of them. */
export function visibleScores(scores: readonly Score[]): readonly Score[] {
  if (scores.length <= SCORE_ROWS_MAX) return scores;
  const best = scores.slice(0, SCORE_ROWS_MAX);
  const own = scores.find((score) => score.own);
  if (own !== undefined && !best.includes(own)) best[SCORE_ROWS_MAX - 1] = own;
  return best;
}

/** One row's elements, reused for whoever has that place. */
interface Row {
  readonly item: HTMLLIElement;
  readonly chip: HTMLElement;
  readonly name: HTMLElement;
  readonly score: HTMLElement;
}

export class Hud {
  readonly #screen: HTMLElement;
  readonly #texts: Readonly<Record<"room-code" | "notice" | "ping" | "lead" | "rollbacks" | "in-step", HTMLElement>>;
  readonly #list: HTMLElement;
  readonly #rows: Row[] = [];

  /** @param root holds the markup of index.html: the document or an element. @throws Error where a part is missing */
  constructor(root: ParentNode) {
    this.#screen = findElement(root, "#hud");
    this.#list = findElement(root, "#scores");
    this.#texts = {
      "room-code": findElement(root, "#room-code"),
      "notice": findElement(root, "#notice"),
      "ping": findElement(root, "#ping"),
      "lead": findElement(root, "#lead"),
      "rollbacks": findElement(root, "#rollbacks"),
      "in-step": findElement(root, "#in-step"),
    };
  }

  /** Shows the values and, where it was hidden, itself. */
  show(values: HudValues): void {
    if (this.#screen.hidden) this.#screen.hidden = false;
    const texts = this.#texts;
    setText(texts["room-code"], `Room ${values.room}`);
    setText(texts.notice, values.notice);
    setText(texts.ping, `${Math.round(values.pingMs)} ms`);
    setText(texts.lead, `${Math.round(values.leadMs)} ms`);
    setText(texts.rollbacks, `${Math.round(values.rollbacksPerSecond)}/s`);
    setText(texts["in-step"], values.inStep ? "yes" : "no");
    this.#showScores(visibleScores(values.scores));
  }

  hide(): void {
    this.#screen.hidden = true;
  }

  #showScores(scores: readonly Score[]): void {
    for (let i = 0; i < scores.length; i++) {
      const row = this.#rows[i] ??= this.#addRow();
      if (row.item.hidden) row.item.hidden = false;
      fillRow(row, scores[i]!);
    }
    for (let i = scores.length; i < this.#rows.length; i++) {
      const { item } = this.#rows[i]!;
      if (!item.hidden) item.hidden = true;
    }
  }

  #addRow(): Row {
    const item = document.createElement("li");
    const chip = document.createElement("span");
    const name = document.createElement("span");
    const score = document.createElement("span");
    chip.className = "chip";
    name.className = "name";
    score.className = "score";
    item.append(chip, name, score);
    this.#list.append(item);
    return { item, chip, name, score };
  }
}

function fillRow(row: Row, score: Score): void {
  const look = lookOf(score);
  const kind = score.own ? "own" : score.npc ? "npc" : "player";
  if (row.item.className !== kind) row.item.className = kind;
  if (row.chip.dataset.fill !== look.fill || row.chip.dataset.pattern !== look.pattern) {
    row.chip.dataset.fill = look.fill;
    row.chip.dataset.pattern = look.pattern;
    row.chip.style.setProperty("--fill", look.fill);
    row.chip.style.setProperty("--mark", look.mark);
  }
  setText(row.name, score.own ? `${score.name} (you)` : score.npc ? `${score.name} · npc` : score.name);
  setText(row.score, `${score.score}`);
}

function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
