import { assertEquals } from "@std/assert";
import { MATCH_EVENTS } from "../../../../../client/games/dragons/presenters/match.ts";
import { ALL_PRESENTERS, EVENT_RECIPES } from "../../../../../client/games/dragons/presenters/presenters.ts";
import { ARCHETYPES } from "../../../../../shared/games/dragons/archetypes.ts";

Deno.test("ALL_PRESENTERS: one for each archetype of the stage", () => {
  assertEquals(ALL_PRESENTERS.map(({ name }) => name).sort(), ARCHETYPES.map(({ name }) => `${name}s`).sort());
});

Deno.test("EVENT_RECIPES: each kind of event has one recipe", () => {
  const kinds = [MATCH_EVENTS, ...ALL_PRESENTERS.map(({ presenter }) => presenter.events)].flatMap(Object.keys);
  assertEquals(kinds.sort(), Object.keys(EVENT_RECIPES).sort());
});
