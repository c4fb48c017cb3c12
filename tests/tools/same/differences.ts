/** Compares values that came from JSON, and lists the keys that they have. */

/** What differs, as text for people. */
export interface Difference {
  /** Such as "rows[3].waitMs". */
  readonly where: string;
  readonly here: string;
  readonly there: string;
}

/** Stands for a value that one side lacks. */
export const ABSENT = "nothing";
/** A longer value is cut in the report. */
const SHOWN_CHARS = 60;

/**
 * Compares two values to the last digit.
 * @param where the place of both, for the report
 * @returns each value that differs; a key or an element that one side lacks is one difference
 */
export function valueDifferences(where: string, here: unknown, there: unknown): Difference[] {
  if (!isTree(here) || !isTree(there) || Array.isArray(here) !== Array.isArray(there)) {
    return JSON.stringify(here) === JSON.stringify(there)
      ? []
      : [{ where, here: shown(here), there: shown(there) }];
  }
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  return names.flatMap((name) => {
    const place = Array.isArray(here)
      ? `${where}[${name}]`
      : where === ""
      ? name
      : `${where}.${name}`;
    return valueDifferences(place, here[name], there[name]);
  });
}

/**
 * The paths of all keys, such as "rows[].waitMs". Elements of a list count together.
 * @param maps paths of objects whose keys are data, such as names of folders; they count as one key
 */
export function keysOf(value: unknown, maps: readonly string[] = [], where = ""): Set<string> {
  if (!isTree(value)) return new Set();
  const keys = new Set<string>();
  for (const [name, member] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${where}[]` : where === "" ? name : `${where}.${name}`;
    if (!Array.isArray(value)) keys.add(place);
    if (maps.includes(place)) continue;
    for (const key of keysOf(member, maps, place)) keys.add(key);
  }
  return keys;
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? ABSENT : JSON.stringify(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
