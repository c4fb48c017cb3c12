/** Definitions of views that cannot be right. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { defineView } from "../../../client/game_kit/client_kit.ts";
import { CanvasLayers } from "../../../client/game_kit/picture/layers.ts";
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { SEATS } from "../../../shared/netcode/game.ts";
import { yardGame } from "../../shared/game_kit/yard_game.ts";

Deno.test("defineView: the overlay asks what a projectile touches, and gets nothing (SPEC 13.47)", () => {
  const view = defineView(yardGame, { view: [30, 18] });
  const simulation = yardGame.start({ npcs: 0 }, 3);
  const { neutral } = yardGame.command;
  const firing = yardGame.commandOf({ fire: 1 }, neutral);
  const commandsOf = (command: typeof neutral) =>
    Array.from({ length: SEATS }, (_, seat) => seat === 0 ? command : undefined);
  simulation.step(commandsOf(neutral));
  simulation.step(commandsOf(firing));
  const [shot] = simulation.world.all("shot");
  assert(shot !== undefined);
  const ids = simulation.world.all("car").map(({ id }) => id);
  assertEquals([shot.id, ...ids].map((id) => view.touchingIds!(simulation, id)), [[], []]);
});

Deno.test("defineView: a member that was renamed is refused, and the error says its new name", () => {
  const define = (definition: unknown) => () =>
    defineView(yardGame, definition as { view: [30, 18] });
  assertThrows(define({ sees: [30, 18] }), GameError, "`sees` is called `view`");
  assertThrows(define({ words: { npc: "Robot" } }), GameError, "stand in the game: npcs");
  assertThrows(
    define({ view: [30, 18], events: { goal: { deed: "scored" } } }),
    GameError,
    '`deed` of the event "goal" is called `caption`',
  );
});

Deno.test("CanvasLayers: a place that there is not, or two in one place, is refused in words (SPEC 13.63)", () => {
  const open = () => ({ draw: () => {} });
  const layered = (layers: object) => () => new CanvasLayers({} as HTMLCanvasElement, layers);
  assertThrows(
    layered({ under: open }),
    GameError,
    'defineView: `layers` has below, instead, above, and not "under"',
  );
  assertThrows(
    layered({ below: open, instead: open }),
    GameError,
    "`layers` has either `below` or `instead`, not both",
  );
});
