/**
 * The player below the picture: play and pause, steps, speed, the seat to follow, the timeline, and
 * the check's result.
 */
import type { SeatId, Tick } from "../../shared/netcode/game.ts";
import { findElement, make, setHidden, setText } from "../ui/dom.ts";
import { momentText } from "../ui/moment_text.ts";
import { SPEEDS, speedText } from "./playback.ts";
import type { CheckStatus } from "./replay_source.ts";

/** What a person can request. */
export interface BarRequests {
  toggle(): void;
  /** @param ticks 1 or −1 */
  step(ticks: number): void;
  seek(tick: Tick): void;
  setSpeed(speed: number): void;
  follow(seat: SeatId): void;
  fork(): void;
  showLanes(isShown: boolean): void;
  close(): void;
}

/** What one frame shows. */
export interface BarValues {
  readonly tick: Tick;
  readonly firstTick: Tick;
  readonly lastTick: Tick;
  readonly tickHz: number;
  readonly isPlaying: boolean;
  readonly status: CheckStatus;
}

/** The elements that give Space and arrows their own meaning. */
const OWN_KEYS = "button, select, input:not([type=range]), a";
const NOBODY = "-1";

/** Words a log's check, and says whether it is good. @param ticks the whole log's */
export function checkText(
  { equalTicks, isComplete, difference, error, fault }: CheckStatus,
  ticks: number,
): { text: string; state: "checking" | "equal" | "different" } {
  const equal = `${equalTicks.toLocaleString("en")} ${equalTicks === 1 ? "tick" : "ticks"} equal`;
  if (difference !== undefined) {
    return {
      text: `the recording and this page differ at tick ${difference.tick}; ${equal}`,
      state: "different",
    };
  }
  if (error !== undefined) return { text: `${error.message}; ${equal}`, state: "different" };
  if (!isComplete) return { text: `${equal} of ${ticks.toLocaleString("en")}`, state: "checking" };
  if (fault?.kind === "changed") {
    return { text: `the log was changed at byte ${fault.offset}; ${equal}`, state: "different" };
  }
  return { text: equal, state: "equal" };
}

export class ReplayBar {
  readonly element: HTMLElement;
  readonly #toggle: HTMLButtonElement;
  readonly #fork: HTMLButtonElement;
  readonly #moment: HTMLElement;
  readonly #check: HTMLElement;
  readonly #timeline: HTMLInputElement;
  readonly #follow: HTMLSelectElement;
  readonly #speed: HTMLSelectElement;

  /** @param root holds the markup of replay.html. @throws Error if a part is missing */
  constructor(root: ParentNode, requests: BarRequests) {
    const button = (id: string, onClick: () => void) => {
      const found = findElement<HTMLButtonElement>(root, id);
      found.addEventListener("click", onClick);
      return found;
    };

    this.element = findElement(root, "#player");
    this.#moment = findElement(root, "#moment");
    this.#check = findElement(root, "#check");

    // The buttons
    this.#toggle = button("#toggle", () => requests.toggle());
    button("#back", () => requests.step(-1));
    button("#forward", () => requests.step(1));
    this.#fork = button("#fork", () => requests.fork());
    button("#close-replay", () => requests.close());
    const lanes = button("#show-lanes", () => {
      const isShown = lanes.ariaExpanded !== "true";
      lanes.ariaExpanded = String(isShown);
      requests.showLanes(isShown);
    });

    // The place in the recording, and the speed
    this.#timeline = findElement(root, "#timeline");
    this.#timeline.addEventListener("input", () => requests.seek(Number(this.#timeline.value)));
    this.#speed = findElement(root, "#speed");
    for (const speed of SPEEDS) {
      this.#speed.append(
        make("option", {
          value: String(speed),
          textContent: speedText(speed),
          selected: speed === 1,
        }),
      );
    }
    this.#speed.addEventListener("change", () => requests.setSpeed(Number(this.#speed.value)));

    // Whom to follow
    this.#follow = findElement(root, "#follow");
    this.#follow.addEventListener("change", () => requests.follow(Number(this.#follow.value)));

    new ResizeObserver(() =>
      document.body.style.setProperty("--player", `${this.element.offsetHeight}px`)
    )
      .observe(this.element);
  }

  /** Handles a key. @returns whether it was one of the player's */
  static onKey(event: KeyboardEvent, requests: BarRequests): boolean {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const isOwn = event.target instanceof Element && event.target.matches(OWN_KEYS);
    if (event.key === "," || event.key === ".") requests.step(event.key === "." ? 1 : -1);
    else if (isOwn) return false;
    else if (event.key === " ") requests.toggle();
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      requests.step(event.key === "ArrowRight" ? 1 : -1);
    } else return false;
    return true;
  }

  /** @param canFork whether the match can be played on, as from definitive ticks */
  setForkable(canFork: boolean): void {
    setHidden(this.#fork, !canFork);
  }

  show({ tick, firstTick, lastTick, tickHz, isPlaying, status }: BarValues): void {
    const timeline = this.#timeline;
    const seconds = (of: Tick) => momentText(of / tickHz);
    setText(this.#toggle, isPlaying ? "Pause" : "Play");
    setText(this.#moment, `${seconds(tick)} of ${seconds(lastTick)} · tick ${tick}`);
    if (timeline.min !== String(firstTick)) timeline.min = String(firstTick);
    if (timeline.max !== String(lastTick)) timeline.max = String(lastTick);
    if (timeline.value !== String(tick)) timeline.value = String(tick);
    const valueText = `${seconds(tick)}, tick ${tick}`;
    // A screen reader reads each new text, so the text stays while time goes by.
    if (!isPlaying && timeline.ariaValueText !== valueText) timeline.ariaValueText = valueText;
    const { text, state } = checkText(status, lastTick - firstTick);
    setText(this.#check, text);
    if (this.#check.dataset.state !== state) this.#check.dataset.state = state;
  }

  /**
   * Offers the seats in the shown tick, players before NPCs. The followed seat stays in the list.
   */
  offerSeats(
    seats: readonly { readonly seat: SeatId; readonly name: string }[],
    followed: SeatId,
  ): void {
    const options = [[NOBODY, "nobody"], ...seats.map(({ seat, name }) => [String(seat), name])];
    if (!seats.some(({ seat }) => seat === followed) && followed >= 0) {
      options.push([String(followed), "(not here)"]);
    }
    const key = JSON.stringify(options);
    const list = this.#follow;
    if (list.dataset.key !== key) {
      list.dataset.key = key;
      list.replaceChildren(
        ...options.map(([value, textContent]) =>
          make("option", { value: value!, textContent: textContent! })
        ),
      );
    }
    if (list.value !== String(followed)) list.value = String(followed);
  }
}
