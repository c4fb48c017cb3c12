/**
 * Lets a gamepad reach every control of a page: the arrows and the left stick move the focus, A
 * presses, or opens letters for a field, B goes back. In a match the gamepad belongs to the game, until
 * a dialog is open.
 *
 *     left, right    the control before, the one after; or the other value of a choice or a range
 *     up, down       the nearest control of another row; in a single row as left and right
 */
import { type GamepadState, readGamepads } from "./gamepads.ts";
import { openLetters, takesLetters } from "./letter_board.ts";

/** W3C Gamepad, "Remapping". */
const BUTTON = { a: 0, b: 1, view: 8, start: 9, up: 12, down: 13, left: 14, right: 15 } as const;
type Press = keyof typeof BUTTON;
/** How far a stick must be off its centre to count as an arrow, 0 … 1. */
const STICK_MIN = 0.5;
/** A direction that is held repeats after this time, and then at this pace, ms. */
const REPEAT_AFTER_MS = 400;
const REPEAT_MS = 110;

const CONTROLS = "button, input, select, textarea, summary, a[href], [tabindex]";
/** Ranges take so many presses from end to end. */
const RANGE_STEPS = 20;
/** Controls whose tops are closer than this many CSS pixels are in one row. */
const ROW_PX = 8;

export interface PadFocusOptions {
  /** What Start and View do while a match is shown; by default nothing. */
  readonly inMatch?: Readonly<Record<"start" | "view", () => void>>;
}

/** Begins to watch the gamepads, with every frame. Call it once for each page. */
export function runPadFocus({ inMatch }: PadFocusOptions = {}): void {
  // The focus ring shows with the gamepad, and not with a mouse that takes over.
  addEventListener("pointerdown", () => document.documentElement.classList.remove("by-pad"));

  const presses = new Presses();
  const look = (nowMs: number) => {
    requestAnimationFrame(look);
    for (const press of presses.poll(readGamepads(), nowMs)) act(press, inMatch);
  };

  look(performance.now());
}

/** Finds what was pressed since the poll before, on any gamepad. */
class Presses {
  /** By button: since when it is down, and when it repeats. */
  readonly #repeatAtMs = new Map<Press, number>();

  poll(gamepads: readonly (GamepadState | null)[], nowMs: number): Press[] {
    return (Object.keys(BUTTON) as Press[]).filter((press) => {
      if (!gamepads.some((gamepad) => isDown(gamepad, press))) {
        this.#repeatAtMs.delete(press);
        return false;
      }
      const repeatAtMs = this.#repeatAtMs.get(press);
      if (repeatAtMs !== undefined && nowMs < repeatAtMs) return false;
      const waitMs = BUTTON[press] < BUTTON.up
        ? Infinity
        : repeatAtMs === undefined
        ? REPEAT_AFTER_MS
        : REPEAT_MS;
      this.#repeatAtMs.set(press, nowMs + waitMs);
      return true;
    });
  }
}

function isDown(gamepad: GamepadState | null, press: Press): boolean {
  if (gamepad === null || gamepad.mapping !== "standard") return false;
  if (gamepad.buttons[BUTTON[press]]?.pressed === true) return true;
  const [x = 0, y = 0] = gamepad.axes;
  switch (press) {
    case "left":
      return x < -STICK_MIN;
    case "right":
      return x > STICK_MIN;
    case "up":
      return y < -STICK_MIN;
    case "down":
      return y > STICK_MIN;
    default:
      return false;
  }
}

/** What is in front: the newest dialog, or else the page's sheet; undefined in a match. */
function front(): HTMLElement | undefined {
  const dialogs = [...document.querySelectorAll<HTMLDialogElement>("dialog:modal")];
  // Who watches has no other use for a gamepad than the bar below the match.
  const sheets = [...document.querySelectorAll<HTMLElement>("main, #player, #rewind")];
  return dialogs.find((dialog) => dialog.contains(document.activeElement)) ?? dialogs.at(-1) ??
    sheets.find(isSeen);
}

function isSeen(element: HTMLElement): boolean {
  return element.checkVisibility({ visibilityProperty: true }) &&
    element.getClientRects().length > 0;
}

function act(press: Press, inMatch: PadFocusOptions["inMatch"]): void {
  const root = front();
  if (root === undefined || root.id === "rewind") {
    if (press === "start" || press === "view") return inMatch?.[press]();
    if (root === undefined) return;
  }
  if (press === "view") return;

  document.documentElement.classList.add("by-pad");
  const controls = [...root.querySelectorAll<HTMLElement>(CONTROLS)].filter((control) =>
    isSeen(control) && control.tabIndex >= 0 && !control.matches(":disabled")
  );
  const focused = controls.find((control) => control === document.activeElement);

  if (press === "b") return goBack(root, focused);
  if (press === "a" || press === "start") {
    return focused === undefined ? controls[0]?.focus() : pressControl(focused);
  }
  if (focused === undefined) return controls[0]?.focus();
  const step = press === "left" || press === "up" ? -1 : 1;
  const isSideways = press === "left" || press === "right";
  if (isSideways && turn(focused, step)) return;
  const next = isSideways
    ? controls.at((controls.indexOf(focused) + step) % controls.length)
    : inNextRow(focused, controls, step);
  next?.focus();
}

/** Closes a dialog as Escape does, or leaves a field. */
function goBack(root: HTMLElement, focused: HTMLElement | undefined): void {
  const isCancelled = () => root.dispatchEvent(new Event("cancel", { cancelable: true }));
  // A slot of the settings that waits for a key takes Escape for itself.
  const takesEscape = focused?.dispatchEvent(
    new KeyboardEvent("keydown", { code: "Escape", bubbles: true, cancelable: true }),
  ) === false;
  if (takesEscape) return;
  if (root instanceof HTMLDialogElement) {
    if (root.open && isCancelled()) root.close();
  } else focused?.blur();
}

function pressControl(control: HTMLElement): void {
  if (takesLetters(control)) openLetters(control);
  else if (control instanceof HTMLSelectElement) turn(control, 1, { wraps: true });
  else control.click();
}

/** Gives a choice or a range its next value. @returns whether the control has values */
function turn(control: HTMLElement, step: -1 | 1, { wraps = false } = {}): boolean {
  if (control instanceof HTMLSelectElement) {
    const { length } = control.options;
    const index = control.selectedIndex + step;
    control.selectedIndex = wraps ? index % length : Math.max(0, Math.min(length - 1, index));
  } else if (control instanceof HTMLInputElement && control.type === "range") {
    const { min, max, value } = control;
    const stride = Math.max(Number(control.step) || 0, (Number(max) - Number(min)) / RANGE_STEPS);
    control.value = String(Number(value) + step * stride);
    control.dispatchEvent(new Event("input", { bubbles: true }));
  } else return false;
  control.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

/**
 * The control nearest to the focused one in the next row up or down; round the end, the other end.
 * In a single row it is the next control: left and right may stop at one whose values they turn.
 */
function inNextRow(
  focused: HTMLElement,
  controls: readonly HTMLElement[],
  step: -1 | 1,
): HTMLElement | undefined {
  const place = (control: HTMLElement) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    return { control, x: left + width / 2, y: top + height / 2 };
  };
  const from = place(focused);
  const places = controls.map(place);
  if (places.every(({ y }) => Math.abs(y - from.y) <= ROW_PX)) {
    return controls.at((controls.indexOf(focused) + step) % controls.length);
  }
  const others = places.filter(({ y }) => step * (y - from.y) > ROW_PX);
  if (others.length === 0) return step > 0 ? controls[0] : controls.at(-1);
  const nearest = Math.min(...others.map(({ y }) => step * (y - from.y)));
  const row = others.filter(({ y }) => step * (y - from.y) <= nearest + ROW_PX);
  return row.reduce((best, each) =>
    Math.abs(each.x - from.x) < Math.abs(best.x - from.x) ? each : best
  ).control;
}
