/**
 * A number that this browser draws once. The table of the best tells players with one name apart by
 * it, and nothing else is done with it: the server keeps a digest.
 */

const KEY = "wyvern.device";
const NUMBER = /^[0-9a-f]{32}$/;

/** @returns 32 hexadecimal digits; undefined without storage, because each visit would be another */
export function deviceNumber(): string | undefined {
  try {
    const stored = localStorage.getItem(KEY) ?? "";
    if (NUMBER.test(stored)) return stored;
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    const drawn = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(KEY, drawn);
    return drawn;
  } catch {
    return undefined;
  }
}
