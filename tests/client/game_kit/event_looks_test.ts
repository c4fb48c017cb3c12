import { assertEquals } from "@std/assert";
import { defineView } from "../../../client/game_kit/client_kit.ts";
import type { PresentedEvent } from "../../../client/presentation/event_reconciler.ts";
import { axis, defineGame } from "../../../shared/game_kit/game_kit.ts";

const game = defineGame({
  id: "bumps-1",
  title: "Bumps",
  gravity: 0,
  ground: [],
  command: { dx: axis() },
  things: { car: { body: { fixtures: [{ shape: { circle: 0.5 } }] } } },
  player: "car",
  events: { jump: "at once", land: "likely", point: "certain" },
}, { enter: () => ({ x: 0, y: 0 }) });

const view = defineView(game, {
  view: [10, 10],
  events: {
    land: { shake: 0.5, strength: (speed) => speed / 20 },
    point: { caption: (points) => `won ${points} points from` },
  },
});

const eventOf = (kind: string, amount?: number): PresentedEvent => ({
  key: `1 ${kind} 1`,
  tick: 1,
  kind,
  x: 0,
  y: 0,
  seat: 2,
  otherSeat: 3,
  amount,
});

Deno.test("events: certain ones wait, an own key causes those at once, likely ones are neither (SPEC 13.42, 13.95)", () => {
  const kinds = ["jump", "land", "point"];
  assertEquals(kinds.map((kind) => view.isConfirmedOnly(kind, 2)), [false, false, true]);
  assertEquals(kinds.map((kind) => view.answersKey!(kind)), [true, false, false]);
});

Deno.test("events: an amount scales the rumble by the strength, and stands in the caption (SPEC 13.94)", () => {
  const rumbles = [10, 40, -5, undefined].map((amount) => view.rumble!(eventOf("land", amount), 2));
  assertEquals(rumbles, [0.25, 0.5, 0, 0.5]);
  assertEquals([view.caption!(eventOf("point", 2))?.verb, view.caption!(eventOf("point"))?.verb], [
    "won 2 points from",
    "won 0 points from",
  ]);
});
