/**
 * The first flight: for a quarter of a minute a card says what each control of the game does, and
 * ticks off those that the visitor has tried. It only watches: the match goes on, nothing is taken
 * from it, and Skip ends it at once. The page fetches this script for a first visit alone.
 */
import { mediaQuery } from "../../input/optional.ts";
import type { Action, ActionSet } from "../../input/actions.ts";
import { readGamepads } from "../../input/gamepads.ts";
import type { InputDevice } from "../../input/input_device.ts";
import { actionOf, type KeyBindings, keyLabel } from "../../input/key_bindings.ts";
import { make } from "../dom.ts";

/** How long it lasts, ms. */
const FLIGHT_MS = 15_000;
/** How long the card stays when everything was tried, ms: as long as its last words take to read. */
const FAREWELL_MS = 1_500;
/** More controls than this are too many to read while one flies; the settings have all. */
const STEPS_MAX = 5;

/** The buttons that gamepads of the standard mapping have names for, by index. */
const PAD_NAMES = ["A", "B", "X", "Y", "LB", "RB", "LT", "RT"];

/** With what the visitor plays, as far as the page can tell. */
export type Hands = "keys" | "touch" | "gamepad";

export interface FirstFlightOptions {
  readonly actions: ActionSet;
  readonly keys: KeyBindings;
  readonly device: InputDevice;
  /** Called once, when it is over or skipped. Not if `end` was called. */
  readonly onDone: () => void;
}

/** One thing to try. */
export interface FlightStep {
  /** What does it: "← →", "Space", "Left thumb". */
  readonly by: string;
  /** What it does: "Left, right". */
  readonly what: string;
  /** Whether the visitor does it now, or has done it since the flight began. */
  readonly isTried: () => boolean;
}

/** Lists what there is to try in a game, from its declared controls: its axes, then its buttons. */
export function flightSteps(
  { axes, buttons }: ActionSet,
  { keys, device, hands }: Pick<FirstFlightOptions, "keys" | "device"> & { readonly hands: Hands },
): readonly FlightStep[] {
  const keysOf = ({ id }: Action) => keyLabel(keys[id]![0]!);
  const padOf = ({ gamepadButtons }: Action) =>
    gamepadButtons.map((button) => PAD_NAMES[button]).find(Boolean) ?? "Button";

  const ofAxes = axes.map(({ id, less, more }, i): FlightStep => ({
    by: {
      keys: `${keysOf(less)} ${keysOf(more)}`,
      touch: i === 0 ? "Left thumb" : "Right thumb",
      gamepad: i === 0 ? "Left stick" : "Stick",
    }[hands],
    what: `${less.label}, ${lowered(more.label)}`,
    isTried: () => device.readAxis(id, false) !== 0,
  }));
  const ofButtons = buttons.map((button): FlightStep => {
    const before = device.presses(button.id);
    return {
      by: { keys: keysOf(button), touch: button.touchLabel, gamepad: padOf(button) }[hands],
      what: hands === "touch" ? "Tap" : button.label,
      isTried: () => device.presses(button.id) > before || device.isHeld(button.id),
    };
  });
  return [...ofAxes, ...ofButtons].slice(0, STEPS_MAX);
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function handsOf(): Hands {
  if (readGamepads().some((gamepad) => gamepad?.mapping === "standard")) return "gamepad";
  return mediaQuery("(pointer: coarse)").matches ? "touch" : "keys";
}

/** Begins it. @returns a function that ends it, because the player leaves the match */
export function beginFirstFlight(
  { actions, keys, device, onDone }: FirstFlightOptions,
): () => void {
  const hands = handsOf();
  const steps = flightSteps(actions, { keys, device, hands });

  // The card
  const takesEnter = hands === "keys" && actionOf(keys, "Enter") === undefined;
  const skipKey = { keys: takesEnter ? " (Enter)" : "", touch: "", gamepad: " (View)" }[hands];
  const skip = make("button", {
    id: "skip-flight",
    type: "button",
    className: "small",
    textContent: `Skip${skipKey}`,
  });
  const items = steps.map(({ by, what }) => {
    const byWhat = make("kbd", { textContent: by });
    return make("li", {}, byWhat, " ", make("span", { textContent: what }));
  });
  const title = make("h2", { id: "flight-title", textContent: "Your controls: try each once" });
  const time = make("progress", { max: FLIGHT_MS, value: FLIGHT_MS });
  time.setAttribute("aria-label", "Time for the first flight");
  const card = make("section", { id: "first-flight" }, title, make("ul", {}, ...items), time, skip);
  card.setAttribute("aria-labelledby", "flight-title");
  document.querySelector("#hud")!.append(card);

  let frame = 0;
  const onKey = (event: KeyboardEvent) => {
    const isFree = document.querySelector("dialog[open]") === null;
    if (takesEnter && event.code === "Enter" && isFree) finish();
  };
  const end = () => {
    cancelAnimationFrame(frame);
    removeEventListener("keydown", onKey);
    card.remove();
  };
  const finish = () => {
    end();
    onDone();
  };

  // A button that keeps the focus would take Space from the game.
  skip.addEventListener("click", finish);
  addEventListener("keydown", onKey);

  const sinceMs = performance.now();
  let doneAtMs = Infinity;
  const look = (nowMs: number) => {
    frame = requestAnimationFrame(look);
    steps.forEach(({ isTried }, i) => isTried() && items[i]!.classList.add("done"));
    if (doneAtMs === Infinity && items.every((item) => item.classList.contains("done"))) {
      doneAtMs = nowMs;
      title.textContent = "That is all. Good luck!";
    }
    time.value = Math.max(0, FLIGHT_MS - (nowMs - sinceMs));
    if (nowMs - sinceMs >= FLIGHT_MS || nowMs - doneAtMs >= FAREWELL_MS) finish();
  };
  frame = requestAnimationFrame(look);
  return end;
}
