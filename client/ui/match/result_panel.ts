/**
 * Shows a round's end in words: who has won, the standings, who is ready, and what comes next. After
 * the last round of a set there is a podium, and the list ranks the whole set.
 */
import { worthInSet } from "../../../shared/netcode/round_outcome.ts";
import type { HudValues } from "../../presentation/match_presenter.ts";
import type { HudView, Score } from "../../presentation/view.ts";
import { findElement, setHidden, setText as showText } from "../dom.ts";
import { proofText } from "./proof_words.ts";
import { Podium } from "./podium.ts";
import { pointsOf, Scoreboard } from "./scoreboard.ts";
import { endsSet, nextText, roundText, setText } from "./verdict.ts";

export class ResultPanel {
  readonly #panel: HTMLElement;
  readonly #verdict: HTMLElement;
  readonly #lastRound: HTMLElement;
  readonly #moment: HTMLElement;
  readonly #head: HTMLElement;
  readonly #next: HTMLElement;
  readonly #proof: HTMLElement;
  readonly #replay: HTMLAnchorElement;
  readonly #standings: Scoreboard;
  readonly #podium: Podium;
  readonly #view: HudView;

  /**
   * @param root holds the markup of index.html: the document or an element.
   * @throws Error if a part is missing
   */
  constructor(root: ParentNode, view: HudView) {
    this.#view = view;
    this.#panel = findElement(root, "#result");
    this.#verdict = findElement(root, "#verdict");
    this.#lastRound = findElement(root, "#last-round");
    this.#moment = findElement(root, "#slow-motion");
    this.#head = findElement(root, "#standings-head");
    this.#next = findElement(root, "#next-round");
    this.#proof = findElement(root, "#result-proof");
    this.#replay = findElement(root, "#round-replay");
    this.#standings = new Scoreboard(findElement(root, "#standings"), view.chip);
    this.#podium = new Podium(findElement(root, "#podium"), view.chip);
  }

  /**
   * Keeps to the verdict while a moment is shown again, so that the panel does not cover it.
   * @param words what happens in it; empty once it is over
   */
  showMoment(words: string): void {
    this.#panel.classList.toggle("aside", words !== "");
    setHidden(this.#moment, words === "");
    showText(this.#moment, words === "" ? "" : `Slow motion: ${words}`);
  }

  /** @param url of the round's replay; undefined for none */
  linkReplay(url: string | undefined): void {
    setHidden(this.#replay, url === undefined);
    this.#replay.href = url ?? "";
  }

  /**
   * Shows the result while there is one.
   * @returns the result as a sentence, or empty
   */
  show(values: HudValues): string {
    const { scores, ready, status, proof } = values;
    const { words, verdict } = this.#view;
    const round = values.round?.phase === "result" ? values.round : undefined;
    setHidden(this.#panel, round === undefined);
    if (round === undefined) return "";

    // The verdict: of the round, and of the set if it is over
    const { players, readyHint } = words;
    const isPodium = endsSet(round.set);
    const ofRound = (status && verdict?.(status)) ?? roundText({ round, scores, players });
    const result = isPodium ? setText({ scores, players }) : ofRound;
    showText(this.#verdict, result);
    showText(this.#lastRound, isPodium ? ofRound : "");

    // The list, and who stands on the podium
    const ranked = isPodium ? rankedInSet(scores) : scores;
    const hasTotals = scores.some(({ total }) => total !== undefined) && round.set?.of !== 1;
    this.#podium.show(isPodium ? ranked : []);
    setHidden(this.#head, !hasTotals);
    this.#standings.show(ranked, {
      hasScores: status?.hasScores ?? true,
      hasTotals,
      winsMax: winsMaxOf(values),
    }, isPodium ? worthInSet : pointsOf);

    // What comes next
    showText(this.#next, nextText({ ...values, round, readyHint }));
    this.#next.classList.toggle("ready", ready);
    setHidden(this.#proof, proof === undefined || proof.ticks === 0);
    if (proof !== undefined) showText(this.#proof, proofText(proof));
    return result;
  }
}

/** How many rounds win a set; 0 without sets. */
export function winsMaxOf({ round }: Pick<HudValues, "round">): number {
  return round?.set === undefined ? 0 : Math.floor(round.set.of / 2) + 1;
}

function rankedInSet(scores: readonly Score[]): readonly Score[] {
  return [...scores].sort((a, b) => worthInSet(b) - worthInSet(a) || a.seat - b.seat);
}
