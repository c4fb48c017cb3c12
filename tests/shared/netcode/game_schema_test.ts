import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals } from "@std/assert";
import type { GameDescription } from "../../../shared/netcode/game.ts";
import { type GameSchema, gameSchemaOf } from "../../../shared/netcode/game_schema.ts";
import { counterGame } from "../../tools/lab/counter_game.ts";

/** The keys that JSON has. */
function keysOf(schema: GameSchema): string[] {
  return Object.keys(JSON.parse(JSON.stringify(schema)));
}

Deno.test("gameSchemaOf: a game without a body stream can describe itself (SPEC 8.14)", () => {
  const description: GameDescription = {
    command: [{
      name: "dir",
      type: "direction",
      values: [-1, 0, 1],
      neutral: 0,
      held: true,
      unchanged: 2048,
    }],
    assume: { heldTicks: 5 },
    arena: { length: 9 },
  };
  const schema = gameSchemaOf({ ...counterGame, description });
  assertEquals([schema.command, schema.assume, schema.arena], [
    description.command,
    description.assume,
    description.arena,
  ]);
  assertEquals(keysOf(schema), [
    "id",
    "protocol",
    "socketPath",
    "tickHz",
    "seats",
    "command",
    "assume",
    "arena",
  ]);
});

Deno.test("gameSchemaOf: a game with a body stream and no description has the parts of the stream (SPEC 8.14)", () => {
  const { description: _, ...bare } = dragonGame;
  const schema = gameSchemaOf(bare);
  const { schemas, substeps } = dragonGame.bodies!;
  assertEquals(schema.worldStepsPerTick, substeps);
  assertEquals(
    schema.kinds!.map(({ name, gravity }) => [name, gravity]),
    schemas.map((each) => [
      each.name,
      each.gravityUnits,
    ]),
  );
  const generic = [
    "id",
    "protocol",
    "socketPath",
    "tickHz",
    "worldStepsPerTick",
    "seats",
    "units",
    "kinds",
    "choices",
  ];
  assertEquals(keysOf(schema), generic);
});
