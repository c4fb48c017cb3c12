/**
 * Says in one line how to play a kit game: with the player's keys and a mouse, or with two thumbs.
 */
import { type KeyBindings, keyLabel } from "../../input/key_bindings.ts";
import type { ThumbAxes } from "../../input/thumbs.ts";
import type { KitActions, KitAxis } from "./kit_actions.ts";

/**
 * Labels for the mouse's left and right button, which press a game's first two buttons if it has an
 * aim.
 */
const CLICKS = ["click", "right click"];

/** @param fingers whether the machine's main pointer is a finger */
export function kitHelp(
  actions: KitActions,
  keys: KeyBindings,
  { fingers }: { fingers: boolean },
): string {
  return fingers ? thumbsHelp(actions) : keysHelp(actions, keys);
}

function keysHelp({ axes, aims, presses, dials }: KitActions, keys: KeyBindings): string {
  const first = (id: string) => keys[id]?.[0] === undefined ? [] : [keyLabel(keys[id][0])];
  const parts = axesWithWords(axes).map(({ axes, words }) => {
    // W, A, S, D: up, left, down, right.
    const [horizontal, vertical] = [
      axes.find(({ isVertical }) => !isVertical),
      axes.find((axis) => axis.isVertical),
    ];
    const ends = [vertical?.more, horizontal?.less, vertical?.less, horizontal?.more];
    return [...ends.flatMap((end) => end === undefined ? [] : first(end.id)), words].join(" ");
  });
  if (aims.length > 0) parts.push(`mouse ${lowered(aims[0]!)}`);
  for (const [i, { id, label }] of presses.entries()) {
    const click = aims.length > 0 ? CLICKS.slice(i, i + 1) : [];
    parts.push(`${[...first(id), ...click].join(" or ")} ${lowered(label)}`);
  }
  for (const [i, { less, more, words }] of dials.entries()) {
    const turns = [[...first(less.id), ...first(more.id)].join(" "), ...(i === 0 ? ["wheel"] : [])];
    parts.push(`${turns.filter((each) => each !== "").join(" or ")} ${lowered(words)}`);
  }
  return parts.join(" · ");
}

function thumbsHelp({ left, right, aims, presses, dials, fires }: KitActions): string {
  const leftWords = wordsOfThumb(left);
  const shot = presses.find(({ id }) => id === fires);
  const aim = shot === undefined ? aims[0]! : `${aims[0]}, lift to ${lowered(shot.touchLabel)}`;
  const words = right === "aim" ? [aim] : wordsOfThumb(right ?? {});
  const rightWords = [
    ...words,
    ...presses.filter((each) => each !== shot).map(({ touchLabel }) => touchLabel),
    ...dials.map(({ words }) => words),
  ].map(
    lowered,
  );
  const thumbs = [["left thumb", leftWords], ["right thumb", rightWords]] as const;
  const help = thumbs.filter(([, words]) => words.length > 0).map(([thumb, words]) =>
    `${thumb}: ${words.join(", ")}`
  );
  const text = help.join(" · ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function wordsOfThumb({ horizontal, vertical }: ThumbAxes): string[] {
  const axes = [horizontal, vertical].filter((axis) => axis !== undefined) as KitAxis[];
  return axesWithWords(axes).map(({ words }) => words);
}

/**
 * Puts the axes without an author's words together as "move", or as "steer" if there is only one.
 */
function axesWithWords(
  axes: readonly KitAxis[],
): { readonly axes: readonly KitAxis[]; readonly words: string }[] {
  const nameless = axes.filter(({ words }) => words === undefined).slice(0, 2);
  const groups = nameless.length === 0
    ? []
    : [{ axes: nameless, words: nameless.length === 1 ? "steer" : "move" }];
  const named = axes.filter(({ words }) => words !== undefined);
  return [...groups, ...named.map((axis) => ({ axes: [axis], words: lowered(axis.words!) }))];
}

/** Within a line, words begin with a small letter. */
function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
