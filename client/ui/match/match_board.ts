/**
 * The HUD's part for games with teams, a clock without rounds, large words, a line about the own
 * player, or votes: a board in the picture's upper middle, the others below it or in the result.
 * Games without them do not load it.
 */
import type { GameStatus, HudPart, TeamScore, VoteChoice } from "../../presentation/view.ts";
import { findElement, make, setHidden, setText } from "../dom.ts";
import { clockText } from "./hud.ts";

/** How long before the end the clock is highlighted, seconds. */
const LAST_SECONDS = 10;

interface TeamRow {
  readonly item: HTMLElement;
  readonly name: HTMLElement;
  readonly score: HTMLElement;
}

export class MatchBoard implements HudPart {
  readonly #board = make("div", { id: "board" });
  readonly #teams = make("ul", { id: "teams" });
  readonly #time = make("p", { id: "board-time" });
  readonly #banner = make("p", { id: "banner" });
  readonly #note = make("p", { id: "own-note" });
  readonly #vote = make("ol", { id: "vote" });
  readonly #scores: HTMLElement;
  readonly #rows: TeamRow[] = [];

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode) {
    this.#scores = findElement(root, "#scores");
    this.#teams.ariaLabel = "Teams";
    this.#time.role = "timer";
    this.#time.ariaLabel = "Time left";
    this.#banner.role = "status";
    this.#board.append(this.#teams, this.#time);
    this.#board.hidden = true;
    findElement(root, "#timer").before(this.#board);
    this.#vote.ariaLabel = "Vote for the next match";
    findElement(root, "#next-round").before(this.#vote);
    findElement(root, "#notice").after(this.#banner, this.#note);
  }

  show(status: GameStatus): void {
    const { teams = [], vote = [], clock, round, banner = "", note = "", hasScores = true } =
      status;
    const isResult = round?.phase === "result";
    // A game with rounds uses the page's own clock, unless its teams get a board.
    const seconds = clock ?? (teams.length > 0 ? round?.secondsLeft : undefined);
    setHidden(this.#board, isResult || (teams.length === 0 && seconds === undefined));
    setHidden(this.#time, seconds === undefined);
    setHidden(this.#banner, isResult || banner === "");
    setHidden(this.#note, isResult || note === "");
    setText(this.#note, note);
    if (seconds !== undefined) setText(this.#time, clockText(seconds));
    this.#time.classList.toggle("last", seconds !== undefined && seconds <= LAST_SECONDS);
    this.#showTeams(teams);
    this.#showVote(vote);
    setText(this.#banner, banner);
    this.#scores.classList.toggle("plain", !hasScores);
  }

  hide(): void {
    setText(this.#banner, "");
  }

  #showTeams(teams: readonly TeamScore[]): void {
    setHidden(this.#teams, teams.length === 0);
    while (this.#rows.length < teams.length) this.#rows.push(this.#addRow());
    this.#rows.forEach(({ item, name, score }, i) => {
      const team = teams[i];
      setHidden(item, team === undefined);
      if (team === undefined) return;
      if (item.dataset.colour !== team.colour) {
        item.dataset.colour = team.colour;
        item.dataset.pattern = team.pattern;
        item.style.setProperty("--team", team.colour);
      }
      item.classList.toggle("own", team.own);
      setText(name, team.own ? `${team.name} (you)` : team.name);
      setText(score, `${team.score}`);
    });
  }

  #showVote(vote: readonly VoteChoice[]): void {
    setHidden(this.#vote, vote.length === 0);
    while (this.#vote.children.length < vote.length) this.#vote.append(make("li", {}));
    vote.forEach(({ label, votes, own }, i) => {
      const item = this.#vote.children[i] as HTMLElement;
      item.classList.toggle("own", own);
      const count = votes === 1 ? "1 vote" : `${votes} votes`;
      setText(item, `${label}${votes === 0 ? "" : ` · ${count}`}${own ? " (yours)" : ""}`);
    });
  }

  #addRow(): TeamRow {
    const name = make("span", { className: "team-name" });
    const score = make("span", { className: "team-score" });
    const item = make("li", {}, name, score);
    this.#teams.append(item);
    return { item, name, score };
  }
}
