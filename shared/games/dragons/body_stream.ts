/**
 * The dragon game's side of the body stream. A client that always simulates exactly does not need
 * this module.
 */
import type { BodyList } from "../../body_list.ts";
import type { Game, GameBodies } from "../../netcode/game.ts";
import { adoptBodies, bodySchemasOf, fillBodies } from "../../physics/stage/body_stream.ts";
import { clampInside, LEDGES } from "./arena.ts";
import { dragonStageDef, FIELD_TIMERS, seatOf } from "./archetypes.ts";
import type { DragonCommand } from "./command.ts";
import { dragonGame } from "./game.ts";
import type { DragonSimulation } from "./simulation.ts";
import { checkSeats } from "./state_validation.ts";

const dragonBodies: GameBodies<DragonSimulation> = {
  ...bodySchemasOf(dragonStageDef(LEDGES), FIELD_TIMERS),
  fill({ stage }, out: BodyList): void {
    fillBodies(stage, seatOf, out);
  },
  adopt({ stage, arena }, from: BodyList): void {
    // The stream predicts poses, and a prediction may leave the arena. No valid state has a body
    // there.
    for (let i = 1; i < from.count; i++) clampInside(arena, from.at(i));
    adoptBodies(stage, from);
    checkSeats(stage);
  },
};

/** The game with its body stream. */
export const streamedDragonGame: Game<DragonCommand, DragonSimulation> = {
  ...dragonGame,
  bodies: dragonBodies,
};

export { streamedDragonGame as game };
