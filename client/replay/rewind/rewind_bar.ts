/**
 * The bar of a page that watches: back, pause, forward, speed, a timeline and "Live".
 *
 *     live          − 10 s
 *     in the past   − 10 s · Pause · + 10 s · 1 × · ──●── · −0:12.4 · Live
 */
import type { Tick } from "../../../shared/netcode/game.ts";
import { findElement, make, setHidden, setText } from "../../ui/dom.ts";
import { momentText } from "../../ui/moment_text.ts";
import { SPEEDS, speedText } from "../playback.ts";

/** What a spectator can request. */
export interface RewindRequests {
  /** @param seconds negative for back */
  jump(seconds: number): void;
  seek(tick: Tick): void;
  toggle(): void;
  setSpeed(speed: number): void;
  goLive(): void;
}

/** What one frame shows; undefined while the match is shown live. */
export interface RewoundValues {
  readonly tick: Tick;
  readonly firstTick: Tick;
  /** The newest tick of the match. */
  readonly liveTick: Tick;
  readonly tickHz: number;
  readonly isPlaying: boolean;
}

/** How far one press goes, s. */
const JUMP_SECONDS = 10;
const KEYS: Readonly<Record<string, (requests: RewindRequests) => void>> = {
  KeyJ: (requests) => requests.jump(-JUMP_SECONDS),
  KeyK: (requests) => requests.toggle(),
  KeyL: (requests) => requests.jump(JUMP_SECONDS),
  End: (requests) => requests.goLive(),
};

export class RewindBar {
  readonly #element: HTMLElement;
  readonly #requests: RewindRequests;
  readonly #toggle: HTMLButtonElement;
  readonly #live: HTMLButtonElement;
  readonly #timeline = make("input", { type: "range", id: "rewind-timeline", step: "1" });
  readonly #speed = make("select", { id: "rewind-speed", className: "small" });
  readonly #behind = make("output", { id: "rewind-behind" });
  readonly #notice = make("span", { id: "rewind-notice" });
  /** The parts that are there only while the past is shown. */
  readonly #parts: readonly HTMLElement[];

  constructor(root: ParentNode, requests: RewindRequests) {
    this.#requests = requests;
    const button = (
      id: string,
      { words, label = words, key, press }: {
        readonly words: string;
        readonly label?: string;
        readonly key: string;
        readonly press: () => void;
      },
    ) => {
      const made = make("button", {
        id,
        type: "button",
        className: "small",
        textContent: words,
        title: `${label} (${key})`,
      });
      if (label !== words) made.ariaLabel = label;
      made.setAttribute("aria-keyshortcuts", key);
      made.addEventListener("click", press);
      return made;
    };

    const back = button("rewind-back", {
      words: `− ${JUMP_SECONDS} s`,
      label: `Back: − ${JUMP_SECONDS} s`,
      key: "J",
      press: () => requests.jump(-JUMP_SECONDS),
    });
    this.#toggle = button("rewind-toggle", {
      words: "Pause",
      key: "K",
      press: () => requests.toggle(),
    });
    const forward = button("rewind-forward", {
      words: `+ ${JUMP_SECONDS} s`,
      label: `Forward: + ${JUMP_SECONDS} s`,
      key: "L",
      press: () => requests.jump(JUMP_SECONDS),
    });
    this.#live = button("rewind-live", {
      words: "Live",
      key: "End",
      press: () => requests.goLive(),
    });

    this.#timeline.ariaLabel = "Moment of the match";
    this.#timeline.addEventListener("input", () => requests.seek(Number(this.#timeline.value)));
    this.#speed.ariaLabel = "Speed";
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

    this.#notice.role = "status";
    this.#parts = [
      this.#toggle,
      forward,
      this.#speed,
      this.#timeline,
      this.#behind,
      this.#live,
    ];
    this.#element = make(
      "section",
      { id: "rewind", ariaLabel: "Look back" },
      back,
      ...this.#parts,
      this.#notice,
    );
    for (const part of this.#parts) part.hidden = true;
    findElement(root, "#hud").append(this.#element);
    addEventListener("keydown", this.#onKey);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector("dialog[open]") !== null) return;
    // A list takes letters for itself.
    if (event.target === this.#speed) return;
    const act = KEYS[event.code];
    if (act === undefined) return;
    act(this.#requests);
    event.preventDefault();
  };

  /** Says in one sentence what goes on, or nothing. */
  say(notice: string): void {
    setText(this.#notice, notice);
  }

  show(values: RewoundValues | undefined): void {
    const isBack = values !== undefined;
    if (!isBack && this.#live.contains(document.activeElement)) this.#live.blur();
    for (const part of this.#parts) setHidden(part, !isBack);
    if (!isBack) return;

    const { tick, firstTick, liveTick, tickHz, isPlaying } = values;
    setText(this.#toggle, isPlaying ? "Pause" : "Play");
    const timeline = this.#timeline;
    if (timeline.min !== String(firstTick)) timeline.min = String(firstTick);
    if (timeline.max !== String(liveTick)) timeline.max = String(liveTick);
    if (timeline.value !== String(tick)) timeline.value = String(tick);
    const behind = `${momentText((liveTick - tick) / tickHz)} behind`;
    setText(this.#behind, `−${momentText((liveTick - tick) / tickHz)}`);
    // A screen reader reads each new text, so it stays while time goes by.
    if (!isPlaying && timeline.ariaValueText !== behind) timeline.ariaValueText = behind;
  }

  close(): void {
    removeEventListener("keydown", this.#onKey);
    this.#element.remove();
  }
}
