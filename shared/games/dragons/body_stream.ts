/** Dragons on the state stream: what netcode streams of a match, and how a match becomes that. Who always simulates may do without. */
import type { BodyList } from "../../body_list.ts";
import type { Game, GameBodies } from "../../netcode/game.ts";
import { adoptBodies, bodySchemasOf, fillBodies } from "../../physics/stage/body_stream.ts";
import { clampInside, LEDGES } from "./arena.ts";
import { dragonStageDef, FIELD_TIMERS, isDragon } from "./archetypes.ts";
import type { DragonCommand } from "./command.ts";
import { dragonGame } from "./game.ts";
import type { DragonSimulation } from "./simulation.ts";
import { checkSeats } from "./state_validation.ts";

const dragonBodies: GameBodies<DragonSimulation> = {
  ...bodySchemasOf(dragonStageDef(LEDGES), FIELD_TIMERS),
  fill({ stage }, out: BodyList): void {
    fillBodies(stage, (entity) => isDragon(entity) ? entity.fields.seat : -1, out);
  },
  adopt({ stage, arena }, from: BodyList): void {
    // Where a body is now is an estimate, which may lead out of the arena; no state of a match has one there.
    for (let i = 1; i < from.count; i++) clampInside(arena, from.at(i));
    adoptBodies(stage, from);
    checkSeats(stage);
  },
};

/** The game with its state stream. */
export const streamedDragonGame: Game<DragonCommand, DragonSimulation> = { ...dragonGame, bodies: dragonBodies };
