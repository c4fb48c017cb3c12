/** Shows a round's end in words: the winner, the standings, and when the next round starts. */
import { findElement, setHidden, setText } from "../dom.ts";
import type { HudValues } from "../../presentation/match_presenter.ts";
import type { HudView, Round, Score } from "../../presentation/view.ts";
import { proofText } from "./proof_words.ts";
import { rankedScores, Scoreboard } from "./scoreboard.ts";

/** How many names a sentence may list; more are hard to read. */
const NAMED_MAX = 3;

/**
 * Words the result. NPCs do not win while there are players.
 * @param scores players before NPCs, and the best of each first
 * @param players the view's word for players
 */
export function resultText(
  { round, scores, players }: { round: number; scores: readonly Score[]; players: string },
): string {
  const ranked = rankedScores(scores);
  const best = ranked[0]?.score ?? 0;

  if (best <= 0) {
    return `${
      scores.some(({ score }) => score > 0) ? "Only bots" : "Nobody"
    } scored in round ${round}.`;
  }

  const winners = ranked.filter(({ score }) => score === best);
  const points = pointsText(best);
  if (winners.length > NAMED_MAX) {
    return `Round ${round} is a draw: ${winners.length} ${players} have ${points}.`;
  }
  if (winners.length > 1) {
    return `Round ${round} is a draw: ${listed(winners.map(nameIn))} have ${points}.`;
  }

  const [winner] = winners;

  // A lone player does not beat anyone.
  if (ranked.length === 1) {
    return `${winner!.own ? "You" : winner!.name} scored ${points} in round ${round}.`;
  }
  return winner!.own
    ? `You win round ${round} with ${points}!`
    : `${winner!.name} wins round ${round} with ${points}.`;
}

/** Words a score. */
export function pointsText(score: number): string {
  return score === 1 ? "1 point" : `${score} points`;
}

/** Words when the next round starts. @param readyHint how to ask for it */
export function nextRoundText(
  { secondsLeft, ready, isSpectating, readyHint }:
    & Pick<Round, "secondsLeft">
    & Pick<HudValues, "ready" | "isSpectating">
    & { readonly readyHint: string },
): string {
  const next = `Next round in ${Math.max(0, Math.ceil(secondsLeft))} s`;
  if (isSpectating) return next;
  if (ready) return `You are ready · ${next.toLowerCase()}`;
  return readyHint === "" ? next : `${next} — ${readyHint}`;
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
  readonly #proof: HTMLElement;
  readonly #standings: Scoreboard;
  readonly #view: HudView;

  /**
   * @param root holds the markup of index.html: the document or an element.
   * @throws Error if a part is missing
   */
  constructor(root: ParentNode, view: HudView) {
    this.#view = view;
    this.#panel = findElement(root, "#result");
    this.#verdict = findElement(root, "#verdict");
    this.#next = findElement(root, "#next-round");
    this.#proof = findElement(root, "#result-proof");
    this.#standings = new Scoreboard(findElement(root, "#standings"), view.chip);
  }

  /**
   * Shows the result while there is one.
   * @returns the result as a sentence, or empty
   */
  show(values: HudValues): string {
    const { scores, ready, isSpectating, status, proof } = values;
    const { words, verdict } = this.#view;
    const round = values.round?.phase === "result" ? values.round : undefined;
    setHidden(this.#panel, round === undefined);
    if (round === undefined) return "";
    const { players, readyHint } = words;
    const result = (status && verdict?.(status)) ??
      resultText({ round: round.number, scores, players });
    setText(this.#verdict, result);
    setText(
      this.#next,
      nextRoundText({ secondsLeft: round.secondsLeft, ready, isSpectating, readyHint }),
    );
    this.#next.classList.toggle("ready", ready);
    this.#standings.show(scores);
    setHidden(this.#proof, proof === undefined || proof.ticks === 0);
    if (proof !== undefined) setText(this.#proof, proofText(proof));
    return result;
  }
}
