/** Strangers' words on one line of ours: nothing in them can end the line, colour the terminal or look like a word of our own. */

/** Longer text is cut, so that a stranger cannot fill a disk; the trace of an error still fits. */
const CHARACTERS_MAX = 1_000;

/** Control characters beyond JSON's own, and the separators and marks that some terminals break or turn a line at. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text from outside in double quotes, on one line, with everything that is not printable escaped as in JSON. */
export function quoted(text: string): string {
  const cut = text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
  return JSON.stringify(cut).replace(UNPRINTABLE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
