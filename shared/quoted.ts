/**
 * Foreign text within one line of a log or a message. It cannot end the line, colour the terminal
 * or imitate our own text.
 */

/**
 * Longer text is cut, because a client could fill the disk with it. The stack trace of an error
 * still fits.
 */
const CHARACTERS_MAX = 1_000;

/**
 * Control characters that JSON does not escape, and separators and marks at which some terminals
 * break or reverse a line.
 */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * @returns the text in double quotes, on one line, with all unprintable characters escaped as in
 *   JSON
 */
export function quoted(text: string): string {
  const cut = text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
  return JSON.stringify(cut).replace(
    UNPRINTABLE,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
