/**
 * Two names look alike if their skeletons are equal (Unicode Technical Standard 39, section 4).
 *
 *     skeleton(x) = NFD( confusables( NFD( NFKC(x) ) ) )
 *
 * Case is ignored here, but not every upper-case letter looks like its lower-case one: "I" looks
 * like "l", and "i" does not. So a name has two forms, with case removed after the skeleton and
 * before it.
 */
import unhomoglyph from "unhomoglyph";

/**
 * Names are alike if they share a form.
 * @returns at least one form; each is empty for a name with no visible character
 */
export function nameForms(name: string): readonly string[] {
  const visible = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  const plain = visible.replace(/\s+/g, " ").trim();
  return [skeleton(plain).toLowerCase(), skeleton(plain.toLowerCase()).toLowerCase()];
}

function skeleton(text: string): string {
  return unhomoglyph(text.normalize("NFD")).normalize("NFD");
}
