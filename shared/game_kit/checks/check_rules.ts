/** Checks the names that rules use. */
import { GameError, listed } from "../game_error.ts";
import { type CompiledGame, hasTouches } from "../compiled_game.ts";
import type { LooseRules } from "../simulation/declared_simulation.ts";
import { checkNumber } from "./check_values.ts";

/** How far ahead NPCs may decide (`Simulation.reactionTicks`). */
const REACTION_TICKS_MAX = 40;

const MEMBERS: Readonly<Record<keyof LooseRules, 1>> = {
  start: 1,
  enter: 1,
  entered: 1,
  leave: 1,
  drive: 1,
  afterPhysics: 1,
  touch: 1,
  touching: 1,
  touchEnd: 1,
  tick: 1,
  think: 1,
  plans: 1,
  round: 1,
  reach: 1,
  reactionTicks: 1,
};

/** @throws GameError that names the rule */
export function checkRules(
  rules: LooseRules,
  { things, stageDef, npcKinds }: CompiledGame,
): void {
  for (const member in rules) {
    if (!Object.hasOwn(MEMBERS, member)) {
      throw new GameError(
        `no rule is called "${member}": a game has ${Object.keys(MEMBERS).join(", ")}`,
      );
    }
  }
  if (typeof rules.enter !== "function") {
    throw new GameError("the rule enter is missing: it places a player's thing");
  }
  checkPairs("touch", rules.touch ?? {}, things);
  checkPairs("touching", rules.touching ?? {}, things);
  checkPairs("touchEnd", rules.touchEnd ?? {}, things);
  if (rules.touchEnd !== undefined && !hasTouches(stageDef)) {
    throw new GameError("touchEnd needs the feature touches: add TOUCHES to the game's features");
  }
  const { think, reactionTicks = 1 } = rules;
  if (typeof think === "object") checkKinds("think", think, npcKinds);
  if (typeof reactionTicks === "number") {
    checkNumber("reactionTicks", reactionTicks, 1, REACTION_TICKS_MAX);
    return;
  }
  checkKinds("reactionTicks", reactionTicks, npcKinds);
  for (const [kind, ticks] of Object.entries(reactionTicks)) {
    checkNumber(`reactionTicks.${kind}`, ticks, 1, REACTION_TICKS_MAX);
  }
}

/** Checks that a rule by kinds of NPCs has exactly those that the game declares. */
function checkKinds(rule: string, byKind: object, npcKinds: readonly string[]): void {
  const unknown = Object.keys(byKind).find((kind) => !npcKinds.includes(kind));
  if (unknown !== undefined) {
    throw new GameError(
      `${rule}.${unknown}: "${unknown}" is no kind of NPC of this game: ${listed(npcKinds)}`,
    );
  }
  const missing = npcKinds.find((kind) => !Object.hasOwn(byKind, kind));
  if (missing !== undefined) throw new GameError(`${rule}.${missing} is missing`);
}

function noThing(at: string, name: string, things: CompiledGame["things"]): GameError {
  return new GameError(`${at}: "${name}" is no thing of this game: ${listed(things.keys())}`);
}

/** Checks that rules for pairs name the game's things. */
function checkPairs(
  rule: string,
  pairs: Readonly<Record<string, object | undefined>>,
  things: CompiledGame["things"],
): void {
  for (const [a, ofA] of Object.entries(pairs)) {
    if (!things.has(a)) throw noThing(`${rule}.${a}`, a, things);
    for (const b of Object.keys(ofA ?? {})) {
      if (b !== "ground" && !things.has(b)) {
        throw noThing(`${rule}.${a}.${b}`, b, things);
      }
    }
  }
}
