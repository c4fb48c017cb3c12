import { assert, assertEquals } from "@std/assert";
import { apartForAll } from "../../../presentation/picture/colour_vision.ts";
import {
  lookOf,
  OWN_COLOURS,
  ownFill,
  setOwnColour,
} from "../../../../../client/games/dragons/render/palette.ts";

Deno.test("lookOf: eight players differ, and four NPCs; NPCs and the own dragon have a hue of their own", () => {
  const others = Array.from({ length: 8 }, (_, seat) => lookOf({ seat, own: false, npc: false }));
  assertEquals(new Set(others).size, 8);
  assertEquals(
    new Set([16, 17, 18, 19].map((seat) => lookOf({ seat, own: false, npc: true }))).size,
    4,
  );
  const fills = new Set(others.map(({ fill }) => fill));
  assertEquals(fills.size, 2);
  assert(!fills.has(lookOf({ seat: 3, own: true, npc: false }).fill));
  assert(!fills.has(lookOf({ seat: 3, own: false, npc: true }).fill));
  assert(
    lookOf({ seat: 3, own: true, npc: false, dead: true }) !==
      lookOf({ seat: 3, own: true, npc: false }),
  );
});

Deno.test("lookOf: the own dragon differs from all others also while both are dead", () => {
  const fills = [true, false].map((own) => lookOf({ seat: 3, own, npc: false, dead: true }).fill);
  assert(fills[0] !== fills[1]);
});

Deno.test("ownFill: every colour that a player may choose differs from all others, also for dichromats", () => {
  const others = [0, 1].map((seat) => lookOf({ seat, own: false, npc: false }).fill);
  others.push(lookOf({ seat: 0, own: false, npc: true }).fill);
  for (const own of OWN_COLOURS) {
    for (const other of others) {
      const apart = apartForAll(ownFill(own), other);
      assert(apart >= 29, `${own} and ${other} are ${apart.toFixed(1)} apart`);
    }
  }
});

Deno.test("setOwnColour: changes the own dragon, alive and dead, and no other", () => {
  const fills = () =>
    [true, false].flatMap((own) =>
      [true, false].map((dead) => lookOf({ seat: 3, own, npc: false, dead }).fill)
    );
  const before = fills();
  setOwnColour("mint");
  const after = fills();
  setOwnColour("sky");
  assertEquals(before.map((fill, i) => fill === after[i]), [false, false, true, true]);
  assertEquals(fills(), before);
});
