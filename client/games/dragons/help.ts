/** How to play, in one line: with the keys that the player has now, on a screen for fingers with those. */
import { type KeyBindings, keyLabel } from "../../input/key_bindings.ts";

/** Whether the first pointer of this machine is a finger. */
function hasTouchScreen(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** @param keys each action's first key is named, and for flap the last one, too: a big one as a rule */
export function helpText(
  keys: KeyBindings,
  { oneButton, fingers = hasTouchScreen() }: { oneButton: boolean; fingers?: boolean },
): string {
  const flap = [...new Set([keys.flap[0]!, keys.flap.at(-1)!])].map(keyLabel).join(" or ");
  if (oneButton) return `${fingers ? "Tap" : flap}: flap · hold: turn round · hold longer: breathe fire`;
  if (fingers) return "Left thumb: fly · right thumb: flap, and fire above it";
  return `${keyLabel(keys.left[0]!)} ${keyLabel(keys.right[0]!)} fly · ${flap} flap · ${
    keyLabel(keys.fire[0]!)
  } breathe fire`;
}
