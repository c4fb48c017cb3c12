/** Definitions of views that cannot be right. */
import { assertThrows } from "@std/assert";
import { defineView } from "../../../client/game_kit/client_kit.ts";
import { CanvasLayers } from "../../../client/game_kit/picture/layers.ts";
import { GameError } from "../../../shared/game_kit/game_error.ts";
import { yardGame } from "../../shared/game_kit/yard_game.ts";

Deno.test("defineView: a member that was renamed is refused, and the error says its new name", () => {
  const define = (definition: unknown) => () =>
    defineView(yardGame, definition as { view: [30, 18] });
  assertThrows(define({ sees: [30, 18] }), GameError, "`sees` is called `view`");
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
