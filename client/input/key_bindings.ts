/**
 * Which key does what. Codes are places on the board, not letters, so WASD is WASD on every layout. A key does one thing: given to
 * another action it leaves the one that it had.
 */

export const ACTIONS = ["left", "right", "flap", "fire"] as const;
export type Action = typeof ACTIONS[number];

/** By action, at most `KEYS_PER_ACTION_MAX` codes of `KeyboardEvent.code`. */
export type KeyBindings = Readonly<Record<Action, readonly string[]>>;

/** Two hands and one to spare: more fit neither a panel nor a memory. */
export const KEYS_PER_ACTION_MAX = 3;

/** Either hand can do everything. Not Shift: five presses of it open a system dialog on Windows. */
export const DEFAULT_BINDINGS: KeyBindings = {
  left: ["ArrowLeft", "KeyA"],
  right: ["ArrowRight", "KeyD"],
  flap: ["ArrowUp", "KeyW", "Space"],
  fire: ["KeyF", "KeyX", "KeyJ"],
};

/** What a page needs for itself, or a browser would not let go of. */
const UNBINDABLE: ReadonlySet<string> = new Set(["Escape", "Tab", "F3", "F5", "F11", "F12", ""]);

export function isBindable(code: string): boolean {
  return !UNBINDABLE.has(code) && !/^(Meta|Control|Alt|OS)/.test(code);
}

/**
 * `code` in one place of an action's keys, and nowhere else. An action that would lose its only key gets the one that was in that
 * place; where there was none, nothing changes: no action is ever without a key.
 */
export function withBinding(
  bindings: KeyBindings,
  code: string,
  { action, slot }: { action: Action; slot: number },
): KeyBindings {
  const replaced = bindings[action][slot];
  const loser = actionOf(bindings, code);
  const next: Record<Action, readonly string[]> = { ...bindings };
  if (loser !== undefined && loser !== action) {
    const left = bindings[loser].filter((other) => other !== code);
    if (left.length === 0 && replaced === undefined) return bindings;
    next[loser] = left.length > 0 ? left : [replaced!];
  }
  const others = bindings[action].filter((other, i) => i !== slot && other !== code);
  next[action] = others.toSpliced(slot, 0, code).slice(0, KEYS_PER_ACTION_MAX);
  return next;
}

export function actionOf(bindings: KeyBindings, code: string): Action | undefined {
  return ACTIONS.find((action) => bindings[action].includes(code));
}

/** Of what was remembered what can be used: an action whose keys are not to be read has its own ones. */
export function parseBindings(value: unknown): KeyBindings {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  const keysOf = (action: Action) => {
    const codes = given[action];
    const usable = Array.isArray(codes) ? codes.filter((code) => typeof code === "string" && isBindable(code)) : [];
    return usable.length > 0 ? usable.slice(0, KEYS_PER_ACTION_MAX) : DEFAULT_BINDINGS[action];
  };
  return { left: keysOf("left"), right: keysOf("right"), flap: keysOf("flap"), fire: keysOf("fire") };
}

const KEY_LABELS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** What stands on a key, as far as its place tells: "←", "F", "Space". */
export function keyLabel(code: string): string {
  return KEY_LABELS[code] ?? code.replace(/^(Key|Digit)(?=.$)/, "").replace(/([a-z])([A-Z0-9])/g, "$1 $2");
}
