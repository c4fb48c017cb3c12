/**
 * The dragon game with its description, for `GET /api/games/ID`. Only the server imports this
 * module: the page has the code that is described here.
 */
import type { Game, GameDescription } from "../../../netcode/game.ts";
import type { Archetype } from "../../../physics/core/types.ts";
import { snapshotLabels } from "../../../physics/snapshot/labels.ts";
import { ARCHETYPES, DRAGON, type Dragon } from "../archetypes.ts";
import { LEDGES } from "../arena.ts";
import { streamedDragonGame } from "../body_stream.ts";
import { commandSchema, type DragonCommand } from "../command.ts";
import { NPC_NAMES } from "../npc/seats.ts";
import type { DragonSimulation } from "../simulation.ts";
import { ASSUME_HELD_TICKS } from "../tuning.ts";

type DragonField = keyof Dragon["fields"];

// Only NPCs use the lanes of an arena.
const { name, width, height, platforms, spawnPoints, crates } = LEDGES;

function shapesOf({ body, projectile }: Archetype): readonly unknown[] {
  return projectile === undefined
    ? body!.fixtures.map(({ shape }) => shape)
    : [{ circle: projectile.radius }];
}

const description: GameDescription = {
  command: commandSchema(),
  assume: { heldTicks: ASSUME_HELD_TICKS },
  shapes: Object.fromEntries(ARCHETYPES.map((archetype) => [archetype.name, shapesOf(archetype)])),
  ownBody: {
    kind: DRAGON.name,
    seatField: "seat" satisfies DragonField,
    scoreField: "score" satisfies DragonField,
  },
  arena: { name, width, height, platforms, spawnPoints, crates },
  npcNames: NPC_NAMES,
};

/** The game with its body stream, its description and the labels of its state. */
export const describedDragonGame: Game<DragonCommand, DragonSimulation> = {
  ...streamedDragonGame,
  description,
  stateLabels: ({ stage }, state) => snapshotLabels(stage, state),
};

export { describedDragonGame as game };
