import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { apartForAll } from "../../../presentation/picture/colour_vision.ts";
import { KitPalette } from "../../../../../client/game_kit/kit_palette.ts";
import type { LooseDeclaration } from "../../../../../client/game_kit/loose_types.ts";
import { OWN_HUES } from "../../../../../client/game_kit/picture/colours.ts";
import { NPC_COLOURS } from "../../../../../client/games/dragons/view.ts";
import { RIVAL_HUES } from "../../../../../client/presentation/picture/hues.ts";
import { lookOf } from "../../../../../client/games/dragons/render/palette.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";

const palette = new KitPalette(dragonGame.declaration as unknown as LooseDeclaration);

function look(seat: number, { own = false, dead = false } = {}) {
  const hue = palette.hueOf({ name: "dragon", seat, fields: {} }, own);
  return lookOf({ hue, seat, own, npc: seat >= 16, dead });
}

Deno.test("lookOf: eight players differ, and four NPCs; NPCs and the own dragon have a hue of their own", () => {
  const others = Array.from({ length: 8 }, (_, seat) => look(seat));
  assertEquals(new Set(others).size, 8);
  assertEquals(new Set([16, 17, 18, 19].map((seat) => look(seat))).size, 4);
  const fills = new Set(others.map(({ fill }) => fill));
  assertEquals(fills.size, 2);
  assert(!fills.has(look(3, { own: true }).fill));
  assert(!fills.has(look(17).fill));
});

Deno.test("lookOf: every own dragon differs from all others, alive for dichromats too, and dead", () => {
  const others = [look(0), look(1), look(16)];
  const dead = look(3, { dead: true }).fill;
  for (const name of palette.choice.names) {
    palette.choice.select(name);
    const own = look(3, { own: true });
    for (const { fill } of others) {
      assert(apartForAll(own.fill, fill) >= 29, `${name} and ${fill}`);
    }
    const pale = look(3, { own: true, dead: true });
    assertNotEquals(pale.fill, own.fill);
    assertNotEquals(pale.fill, dead);
    for (const colour of [pale.fill, pale.shade, pale.light, pale.mark]) {
      assert(/^#[0-9a-f]{6}$/.test(colour), colour);
    }
  }
});

Deno.test("NPC_COLOURS: no kind of NPC looks like a player, also for dichromats (SPEC 26.3)", () => {
  for (const [kind, colour] of Object.entries(NPC_COLOURS)) {
    for (const { fill } of [...Object.values(OWN_HUES), ...RIVAL_HUES]) {
      assert(apartForAll(fill, colour) >= 29, `${kind} and ${fill}`);
    }
  }
});
