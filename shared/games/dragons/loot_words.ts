/** What a chest may hold. */
export const LOOT_WORDS = ["bow", "scatter", "shield", "boost"] as const;

export type LootWord = typeof LOOT_WORDS[number];
