import { assertEquals } from "@std/assert";
import { MATCH_EVENTS } from "../../../../../client/games/dragons/presenters/match.ts";
import {
  ALL_PRESENTERS,
  EVENT_RECIPES,
} from "../../../../../client/games/dragons/presenters/presenters.ts";
import { dragonView } from "../../../../../client/games/dragons/view.ts";
import { ARCHETYPES } from "../../../../../shared/games/dragons/archetypes.ts";

Deno.test("ALL_PRESENTERS: one for each archetype of the stage", () => {
  assertEquals(
    ALL_PRESENTERS.map(({ name }) => name).sort(),
    ARCHETYPES.map(({ name }) => `${name}s`).sort(),
  );
});

Deno.test("dragonView: whatever costs a rider or points waits until it is definitive, other events do not", () => {
  for (const kind of ["joust", "burn", "egg", "take", "hatch", "wither", "round", "start"]) {
    assertEquals(dragonView.isConfirmedOnly(kind, 3), true, kind);
  }
  for (const kind of ["flap", "land", "fire", "clash", "crush", "respawn", "enter"]) {
    assertEquals(dragonView.isConfirmedOnly(kind, 3), false, kind);
  }
  assertEquals(dragonView.isConfirmedOnly("burn", -1), false, "a crate has no rider");
});

Deno.test("dragonView: the events that an own key causes show at once", () => {
  const kinds = Object.keys(EVENT_RECIPES).filter((kind) => dragonView.answersKey!(kind));
  assertEquals(kinds.sort(), ["fire", "flap"]);
});

Deno.test("EVENT_RECIPES: each kind of event has one recipe", () => {
  const kinds = [MATCH_EVENTS, ...ALL_PRESENTERS.map(({ presenter }) => presenter.events)].flatMap(
    Object.keys,
  );
  assertEquals(kinds.sort(), Object.keys(EVENT_RECIPES).sort());
});
