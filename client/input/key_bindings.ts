/**
 * Each action's keys. Codes name places on the keyboard instead of letters, so WASD keeps its place
 * on every layout. A key belongs to one action; if it is given to another, it leaves the first.
 */
import { type ActionSet, actionsOf } from "./actions.ts";

/** By action id, 1 to `KEYS_PER_ACTION_MAX` values of `KeyboardEvent.code`. */
export type KeyBindings = Readonly<Record<string, readonly string[]>>;

/** One key for each hand and one more, which is what fits in a settings panel. */
export const KEYS_PER_ACTION_MAX = 3;

/** Keys that the page needs for itself, or that browsers do not release. */
const UNBINDABLE: ReadonlySet<string> = new Set([
  "Escape",
  "Tab",
  "F3",
  "F4",
  "F5",
  "F8",
  "F11",
  "F12",
  "",
]);

export function isBindable(code: string): boolean {
  return !UNBINDABLE.has(code) && !/^(Meta|Control|Alt|OS)/.test(code);
}

/** The keys that the game's view declares. */
export function defaultBindings(actions: ActionSet): KeyBindings {
  return Object.fromEntries(actionsOf(actions).map(({ id, keys }) => [id, keys]));
}

/**
 * Puts `code` into one slot of an action and removes it from every other. An action that would lose
 * its only key receives the replaced key. If there is none, nothing changes, so that every action
 * always keeps a key.
 */
export function withBinding(
  bindings: KeyBindings,
  code: string,
  { action, slot }: { action: string; slot: number },
): KeyBindings {
  const keys = bindings[action]!;
  const replaced = keys[slot];
  const loser = actionOf(bindings, code);
  const next: Record<string, readonly string[]> = { ...bindings };
  if (loser !== undefined && loser !== action) {
    const left = bindings[loser]!.filter((other) => other !== code);
    if (left.length === 0 && replaced === undefined) return bindings;
    next[loser] = left.length > 0 ? left : [replaced!];
  }
  const others = keys.filter((other, i) => i !== slot && other !== code);
  next[action] = others.toSpliced(slot, 0, code).slice(0, KEYS_PER_ACTION_MAX);
  return next;
}

/** Finds a key's action; undefined if it has none. */
export function actionOf(bindings: KeyBindings, code: string): string | undefined {
  return Object.keys(bindings).find((action) => bindings[action]!.includes(code));
}

/**
 * Reads the usable part of stored bindings. An action without usable keys gets its default ones.
 */
export function parseBindings(value: unknown, actions: ActionSet): KeyBindings {
  const given = (value ?? {}) as Readonly<Record<string, unknown>>;
  const keysOf = (action: string, defaults: readonly string[]) => {
    const codes = given[action];
    const usable = Array.isArray(codes)
      ? codes.filter((code) => typeof code === "string" && isBindable(code))
      : [];
    return usable.length > 0 ? usable.slice(0, KEYS_PER_ACTION_MAX) : defaults;
  };
  return Object.fromEntries(actionsOf(actions).map(({ id, keys }) => [id, keysOf(id, keys)]));
}

const KEY_LABELS: Readonly<Record<string, string>> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

/** Labels a key, as far as its place determines it: "←", "F", "Space". */
export function keyLabel(code: string): string {
  return KEY_LABELS[code] ??
    code.replace(/^(Key|Digit)(?=.$)/, "").replace(/([a-z])([A-Z0-9])/g, "$1 $2");
}
