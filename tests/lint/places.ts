/** The files that the rules of the plugin are for, by their paths in the project. */
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** A match is stepped by these files alone, on every machine. */
const PURE = /^(shared|server\/match)\//;
const RULES = /^shared\/(games|game_kit\/templates)\//;
/** Games, and the kit that they are made with. */
const GAMES = /^shared\/(games|game_kit)\//;

/** The path in the project; empty for a file outside of it. */
function pathOf(fileName: string): string {
  const path = fileName.replaceAll("\\", "/");
  const project = PROJECT.replaceAll("\\", "/");
  return path.startsWith(project) ? path.slice(project.length) : "";
}

/**
 * Whether a file must give the same results everywhere: it may use no clock, no chance and no
 * platform.
 */
export function isPure(fileName: string): boolean {
  return PURE.test(pathOf(fileName));
}

/** Whether a file has the rules of one game. The kit's template is one, too. */
export function hasRules(fileName: string): boolean {
  return RULES.test(pathOf(fileName));
}

/** Whether a file is part of a game or of the game kit: it may keep no state of its own. */
export function isGame(fileName: string): boolean {
  return GAMES.test(pathOf(fileName));
}
