/**
 * The words and numbers around the arena: plain elements above the canvas, so that a screen reader
 * can read them, and a player can zoom and select them. `show` may be called for each frame,
 * because it changes an element only when its text changes.
 */
import { PLAYER_SEATS, type SeatId } from "../../../shared/netcode/game.ts";
import { findElement, setHidden, setText } from "../dom.ts";
import { ResultPanel, winsMaxOf } from "./result_panel.ts";
import type { HudValues } from "../../presentation/match_presenter.ts";
import type { Caption, HudPart, HudView, Score } from "../../presentation/view.ts";
import { KillFeed } from "./kill_feed.ts";
import { sealText } from "./proof_words.ts";
import { ScoreAnnouncer } from "./score_announcer.ts";
import { Scoreboard } from "./scoreboard.ts";
import { roundName } from "./verdict.ts";

/** How often the seal counts on, ms; a number that changes with each tick would catch the eye. */
const SEAL_PERIOD_MS = 1000;
/** How long before a round's end the clock is highlighted, seconds. */
const LAST_SECONDS = 10;

/**
 * Formats minutes and seconds as a clock shows them, rounded up, so that 0:00 means that no time is
 * left.
 */
export function clockText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Words a sentence for spectators. It gives the reason if the room is full. */
export function spectatorText(scores: readonly Score[]): string {
  const players = scores.filter(({ npc }) => !npc).length;
  return players >= PLAYER_SEATS ? "You are watching: the room is full" : "You are watching";
}

const TEXTS = [
  "room-code",
  "notice",
  "watching",
  "clock",
  "round",
  "ping",
  "proof-count",
  "proof-words",
  "spoken",
] as const;

export class Hud {
  readonly #screen: HTMLElement;
  readonly #texts: Readonly<Record<typeof TEXTS[number], HTMLElement>>;
  readonly #proof: HTMLElement;
  #sealDueMs = -Infinity;
  readonly #timer: HTMLElement;
  readonly #list: HTMLElement;
  readonly #scoreboard: Scoreboard;
  readonly #result: ResultPanel;
  readonly #feed: KillFeed;
  readonly #part: HudPart | undefined;
  readonly #announcer = new ScoreAnnouncer();
  #scores: readonly Score[] = [];

  /**
   * @param root holds the markup of index.html: the document or an element.
   * @throws Error if a part is missing
   */
  constructor(root: ParentNode, view: HudView) {
    this.#screen = findElement(root, "#hud");
    this.#proof = findElement(root, "#proof");
    this.#timer = findElement(root, "#timer");
    this.#list = findElement(root, "#scores");
    this.#scoreboard = new Scoreboard(this.#list, view.chip);
    this.#result = new ResultPanel(root, view);
    this.#feed = new KillFeed(findElement(root, "#feed"), view.chip);
    this.#part = view.hudPart?.(root);
    const texts = TEXTS.map((id) => [id, findElement(root, `#${id}`)] as const);
    this.#texts = Object.fromEntries(texts) as Record<typeof TEXTS[number], HTMLElement>;
  }

  /** Shows the values, and the HUD itself if it was hidden. @param nowMs the page's clock */
  show(values: HudValues, nowMs: number): void {
    this.#scores = values.scores;
    setHidden(this.#screen, false);
    const texts = this.#texts;
    setText(texts["room-code"], values.room === "" ? "Practice" : `Room ${values.room}`);
    setText(texts.notice, values.notice);
    setHidden(texts.watching, !values.isSpectating);
    if (values.isSpectating) setText(texts.watching, spectatorText(values.scores));
    setText(texts.ping, `${Math.round(values.pingMs)} ms`);
    this.#showSeal(values, nowMs);

    // Screen readers get the result and the own score, but not the countdown, because they would
    // read it each second.
    const result = this.#showRound(values);
    if (values.status !== undefined) this.#part?.show(values.status);
    if (result !== "") this.#announcer.reset();
    setText(texts.spoken, result || this.#announcer.update(values.scores, nowMs));
  }

  /** Shows a caption's line, except what NPCs do to each other. */
  report({ doer, verb, victim }: Caption): void {
    const scoreOf = (wanted: SeatId) => this.#scores.find(({ seat }) => seat === wanted);
    const by = scoreOf(doer);
    const to = victim === undefined ? undefined : scoreOf(victim);
    if (by === undefined || (to === undefined && victim !== undefined) || (by.npc && to?.npc)) {
      return;
    }
    this.#feed.add({ doer: by, verb, victim: to });
  }

  /**
   * Makes room in the arena while the moment that decided a round is shown again, and says what it
   * is.
   * @param caption undefined once it is over
   */
  showMoment(caption: Caption | undefined): void {
    const { doer, verb, victim } = caption ?? {};
    const nameOf = (wanted: SeatId) => {
      const score = this.#scores.find(({ seat }) => seat === wanted);
      return score?.own ? "you" : score?.name ?? "somebody";
    };
    const words = doer === undefined
      ? ""
      : `${nameOf(doer)} ${verb}${victim === undefined ? "" : ` ${nameOf(victim)}`}`;
    this.#result.showMoment(words);
  }

  /** Links the replay of the round whose result shows. @param url undefined for none */
  linkReplay(url: string | undefined): void {
    this.#result.linkReplay(url);
  }

  hide(): void {
    this.#screen.hidden = true;
    this.#sealDueMs = -Infinity;
    this.#part?.hide();
    this.rewind();
  }

  /** Forgets what it said: the next values may be those of any moment of the match. */
  rewind(): void {
    this.#feed.clear();
    this.#announcer.reset();
  }

  /** Shows how many ticks are proven, once there is one. */
  #showSeal({ proof }: HudValues, nowMs: number): void {
    const hasProof = proof !== undefined && proof.ticks > 0;
    if (!hasProof || nowMs < this.#sealDueMs) return setHidden(this.#proof, !hasProof);
    this.#sealDueMs = nowMs + SEAL_PERIOD_MS;
    const { count, words } = sealText(proof);
    setText(this.#texts["proof-count"], count);
    setText(this.#texts["proof-words"], words);
    setHidden(this.#proof, false);
  }

  /**
   * Shows the clock and the scores beside the match, or the result in their place.
   * @returns the result as a sentence
   */
  #showRound(values: HudValues): string {
    const { round, scores } = values;
    const isPlaying = round?.phase !== "result";
    setHidden(this.#timer, !isPlaying || round === undefined);
    setHidden(this.#list, !isPlaying);
    const result = this.#result.show(values);
    if (isPlaying) {
      // In a set the total comes with the result: in play a second number would be one too many.
      this.#scoreboard.show(scores, {
        hasScores: values.status?.hasScores ?? true,
        hasTotals: round?.set === undefined && scores.some(({ total }) => total !== undefined),
        winsMax: winsMaxOf(values),
      });
    }
    if (!isPlaying || round === undefined) return result;
    setText(this.#texts.clock, clockText(round.secondsLeft));
    const name = roundName(round);
    setText(this.#texts.round, round.note ?? name.charAt(0).toUpperCase() + name.slice(1));
    this.#timer.classList.toggle("last", round.secondsLeft <= LAST_SECONDS);
    return result;
  }
}
