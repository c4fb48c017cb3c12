/**
 * The end of a round in words: who won it, the standings, and how the next one begins. The verdict is also put, once, where screen
 * readers listen; the countdown is not, or it would be read every second.
 */
import { findElement } from "./dom.ts";
import type { HudValues } from "../games/dragons/scene.ts";
import { type Score, Scoreboard } from "./scoreboard.ts";
import { setHidden, setText } from "./showing.ts";

/** More names than this make no sentence. */
const NAMED_MAX = 3;

/** Who won, as a sentence. @param scores sorted, best first */
export function resultText({ round, scores }: Pick<HudValues, "round" | "scores">): string {
  const best = scores[0]?.score ?? 0;
  if (best <= 0) return `Nobody scored in round ${round}.`;
  const winners = scores.filter(({ score }) => score === best);
  const points = best === 1 ? "1 point" : `${best} points`;
  if (winners.length > NAMED_MAX) return `Round ${round} is a draw: ${winners.length} dragons have ${points}.`;
  if (winners.length > 1) return `Round ${round} is a draw: ${listed(winners.map(nameIn))} have ${points}.`;
  const [winner] = winners;
  return winner!.own ? `You win round ${round} with ${points}!` : `${winner!.name} wins round ${round} with ${points}.`;
}

/** What comes next, as a sentence. */
export function nextRoundText(
  { secondsLeft, ready, isSpectating }: Pick<HudValues, "secondsLeft" | "ready" | "isSpectating">,
): string {
  const next = `Next round in ${Math.max(0, Math.ceil(secondsLeft))} s`;
  if (isSpectating) return next;
  return ready ? `You are ready · ${next.toLowerCase()}` : `${next} — flap when you are ready`;
}

function nameIn({ own, name }: Score): string {
  return own ? "you" : name;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

export class ResultPanel {
  readonly #panel: HTMLElement;
  readonly #verdict: HTMLElement;
  readonly #next: HTMLElement;
  readonly #spoken: HTMLElement;
  readonly #standings: Scoreboard;

  /** @param root holds the markup of index.html: the document or an element. @throws Error where a part is missing */
  constructor(root: ParentNode) {
    this.#panel = findElement(root, "#result");
    this.#verdict = findElement(root, "#verdict");
    this.#next = findElement(root, "#next-round");
    this.#spoken = findElement(root, "#spoken");
    this.#standings = new Scoreboard(findElement(root, "#standings"));
  }

  /** Shows the result while there is one, and nothing otherwise. */
  show(values: HudValues): void {
    const over = values.phase === "result";
    setHidden(this.#panel, !over);
    const verdict = over ? resultText(values) : "";
    setText(this.#spoken, verdict);
    if (!over) return;
    setText(this.#verdict, verdict);
    setText(this.#next, nextRoundText(values));
    this.#next.classList.toggle("ready", values.ready);
    this.#standings.show(values.scores);
  }
}
