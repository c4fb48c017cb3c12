/**
 * The fingerprints of the rules that this program was built with: the build puts them in, by the
 * ids of the games (`client/build/fingerprint.ts`). A program that runs from its sources has none.
 */

/** The build replaces this name. */
declare const WYVERN_RULES: Readonly<Record<string, string>> | undefined;

const BUILT_RULES = typeof WYVERN_RULES === "undefined" ? {} : WYVERN_RULES;

/**
 * The fingerprint of a game's rules, with its physics: 12 hexadecimal digits. Programs with equal
 * ones step every state alike.
 * @param gameId `Game.id`
 * @returns undefined if this program runs from its sources
 */
export function builtRulesOf(gameId: string): string | undefined {
  return BUILT_RULES[gameId];
}
