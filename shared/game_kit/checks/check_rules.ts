/** Checks the names that rules use. */
import { GameError } from "../game_error.ts";
import type { CompiledGame } from "../compiled_game.ts";
import type { LooseRules } from "../simulation/declared_simulation.ts";
import { checkNumber } from "./check_values.ts";

/** NPCs decide at most so far ahead (`Simulation.reactionTicks`). */
const REACTION_TICKS_MAX = 40;

const MEMBERS: Readonly<Record<keyof LooseRules, 1>> = {
  ...{ start: 1, enter: 1, leave: 1, drive: 1, touch: 1, tick: 1, think: 1, round: 1, reactionTicks: 1 },
};

/** @throws GameError that names the rule */
export function checkRules(rules: LooseRules, { things }: CompiledGame): void {
  for (const member in rules) if (!Object.hasOwn(MEMBERS, member)) throw new GameError(`no rule is called "${member}"`);
  if (typeof rules.enter !== "function") throw new GameError("the rule enter is missing: it places a player's thing");
  for (const [a, ofA] of Object.entries(rules.touch ?? {})) {
    if (!things.has(a)) throw new GameError(`touch.${a}: "${a}" is no thing of this game`);
    for (const b of Object.keys(ofA ?? {})) {
      if (b !== "ground" && !things.has(b)) throw new GameError(`touch.${a}.${b}: "${b}" is no thing of this game`);
    }
  }
  checkNumber("reactionTicks", rules.reactionTicks ?? 1, 1, REACTION_TICKS_MAX);
}
