/** Normalises a player's name: visible characters only, NFC, no impersonation of staff. */
import { nameForms } from "./name_forms.ts";

/** A longer name would not fit above a body. */
const NAME_CHARACTERS_MAX = 24;
/**
 * Thai and Hebrew need two marks on a letter. A pile of marks would cover what is above the name.
 */
const MARKS_MAX = 2;

/**
 * Characters that show nothing: control, format, private and unassigned characters, and fillers.
 * Unicode counts the last few, such as the Braille blank, as letters or symbols.
 */
const INVISIBLE =
  /[\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]/gu;
const SPACES = /[\s\p{Z}]+/gu;
/** Marks with nothing beneath them. */
const BARE_MARKS = /^[\p{M} ]+/u;
const SURPLUS_MARKS = new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, "gu");

/** A name with one of these words would speak for the server. */
const RESERVED_WORDS = [
  "admin",
  "administrator",
  "mod",
  "moderator",
  "official",
  "operator",
  "server",
  "staff",
  "support",
  "system",
];
const RESERVED_FORMS = new Set(
  RESERVED_WORDS.flatMap((word) => [...looseForms(word), ...looseForms(word.toUpperCase())]),
);

/**
 * Turns a name into what others see.
 * @param sentName as a client sent it
 * @returns at most 24 characters in Unicode's form NFC; empty if nothing would be visible, or if
 * the name impersonates staff
 */
export function printableName(sentName: string): string {
  const visible = sentName.replace(INVISIBLE, "").replace(SPACES, " ").normalize("NFC");
  const clean = visible.replace(BARE_MARKS, "").replace(SURPLUS_MARKS, "$1");
  const name = [...clean].slice(0, NAME_CHARACTERS_MAX).join("").trim();
  return isReserved(name) ? "" : name;
}

/**
 * Whether one of the name's words is reserved, or all its letters together are. Digits among the
 * letters do not hide that.
 */
function isReserved(name: string): boolean {
  return [name, name.replace(/\p{N}/gu, "")].flatMap(looseForms).some((form) => {
    const words = form.split(/[^\p{L}\p{M}\p{N}]+/u);
    return [...words, words.join("")].some((word) => RESERVED_FORMS.has(word));
  });
}

/** The forms with "i", "l" and "1" treated as one letter, as in "ADM1N". */
function looseForms(name: string): string[] {
  return nameForms(name).map((form) => form.replaceAll("i", "l"));
}
