import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { KitPalette } from "../../../client/game_kit/kit_palette.ts";
import { hueOf, OWN_HUES } from "../../../client/game_kit/picture/colours.ts";
import { NPC_HUE, RIVAL_HUES } from "../../../client/presentation/picture/hues.ts";
import type { LooseDeclaration } from "../../../client/game_kit/loose_types.ts";
import { apartForAll } from "../presentation/picture/colour_vision.ts";

const DISC = { fixtures: [{ shape: { circle: 1 } }] };
const DECLARATION: LooseDeclaration = {
  id: "hues-1",
  title: "Hues",
  command: {},
  ground: [],
  player: "car",
  teams: { blue: "#4af", red: "#e44" },
  things: {
    car: { body: DISC },
    crate: { body: DISC },
    ball: { body: DISC },
    post: { body: { ...DISC, type: "static" } },
  },
};
const thing = (name: string, seat = -1, fields = {}) => ({ name, seat, fields });

Deno.test("KitPalette: a thing has the colour of its team, else of its seat, else of its name (SPEC 13.43)", () => {
  const palette = new KitPalette(DECLARATION);
  const fill = (name: string, seat?: number, fields?: object, own = false) =>
    palette.hueOf(thing(name, seat, fields), own).fill;
  assertEquals([fill("car", 3, { team: "blue" }), fill("crate", -1, { team: "red" })], [
    "#4af",
    "#e44",
  ]);
  assertEquals(fill("car", 3, { team: "blue" }, true), "#4af", "the own thing, too");
  for (const team of ["green", 7, "constructor"]) {
    assertEquals(fill("car", 0, { team }), RIVAL_HUES[0]!.fill);
  }
  assertEquals([fill("car", 1), fill("car", 16)], [RIVAL_HUES[1]!.fill, NPC_HUE.fill]);
  assertEquals(fill("car", 1, {}, true), OWN_HUES.sky!.fill);
  assertEquals(new Set([fill("crate"), fill("ball"), fill("post")]).size, 3);
});

Deno.test("KitPalette: the player's choice changes the own thing alone; a view may offer colours of its own", () => {
  const palette = new KitPalette(DECLARATION);
  const own = () => palette.hueOf(thing("car", 0), true).fill;
  assertEquals(palette.choice.names.length, 5);
  palette.choice.select("mint");
  assertEquals(
    [own(), palette.chip({ seat: 0, own: true }, { team: undefined }).fill],
    Array(2).fill(OWN_HUES.mint!.fill),
  );
  palette.choice.select("no such colour");
  assertEquals(own(), OWN_HUES.mint!.fill);
  assertEquals(palette.chip({ seat: 0, own: true }, { team: "red" }).fill, "#e44");
  const [first, second] = [0, 2].map((seat) =>
    palette.chip({ seat, own: false }, { team: undefined })
  );
  assertNotEquals(first!.pattern, second!.pattern, "seats of the same hue");
  const own2 = new KitPalette(DECLARATION, { own: { lime: "#af0", plum: "#a0a" } });
  assertEquals([own2.choice.names, own2.choice.fill("plum")], [["lime", "plum"], "#a0a"]);
});

Deno.test("KitPalette: an NPC has the colour of its kind, else grey, as a thing and in lists (SPEC 26.3)", () => {
  const palette = new KitPalette(DECLARATION, { npcs: { hunter: "#a86" } });
  const fill = (kind?: string, team?: string) => [
    palette.hueOf(thing("car", 17, { team }), false, kind).fill,
    palette.chip({ seat: 17, own: false }, { team, kind }).fill,
  ];
  assertEquals(fill("hunter"), ["#a86", "#a86"]);
  assertEquals(fill("drifter"), [NPC_HUE.fill, NPC_HUE.fill]);
  assertEquals(fill("hunter", "blue"), ["#4af", "#4af"]);
});

Deno.test("OWN_HUES: every colour that a player may choose differs from rivals and NPCs, also for dichromats (SPEC 13.43)", () => {
  for (const [name, { fill }] of Object.entries(OWN_HUES)) {
    for (const other of [...RIVAL_HUES, NPC_HUE]) {
      const apart = apartForAll(fill, other.fill);
      assert(apart >= 29, `${name} and ${other.fill} are ${apart.toFixed(1)} apart`);
    }
  }
});

Deno.test("hueOf: shades of a colour in three or six digits; for other colours a veil", () => {
  assertEquals(hueOf("#f00"), hueOf("#f00"), "the same object");
  assertEquals(hueOf("#f00").shade, "rgb(140 0 0)");
  assertEquals(hueOf("#ff0000").light, hueOf("#f00").light);
  assertEquals(hueOf("tomato").fill, "tomato");
  assert(hueOf("tomato").shade.includes("%"));
});

Deno.test("KitPalette: teams have patterns in their order, and leave players no colours to choose (SPEC 13.204, 8.94)", () => {
  const { things } = DECLARATION;
  const fields = { team: "u8" };
  const palette = new KitPalette({
    ...DECLARATION,
    things: { ...things, car: { ...things.car, fields } },
  });
  assertEquals(palette.choice.names.length, 1);
  assertEquals(["blue", "red"].map((team) => palette.patternOf(5, team)), ["plain", "stripes"]);
  assertEquals(palette.patternOf(-1, "red"), "stripes", "a goal");
  assertEquals(palette.patternOf(4, undefined), "dots", "by the seat");
  assertEquals(palette.patternOf(-1, undefined), "plain");
  assertEquals(palette.chip({ seat: 4, own: false }, { team: "red" }).pattern, "stripes");
  assertEquals(new KitPalette(DECLARATION).choice.names.length, 5, "no player is in a team");
  const sometimes = { team: { kind: "choice", words: ["none", "blue", "red"] } };
  const mixed = new KitPalette({
    ...DECLARATION,
    things: { ...things, car: { ...things.car, fields: sometimes } },
  });
  assertEquals(mixed.choice.names.length, 5, "some rounds have no teams");
});
