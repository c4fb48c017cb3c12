import { assert, assertEquals } from "@std/assert";
import { lookOf, OWN_COLOURS, ownFill, setOwnColour } from "../../../../../client/games/dragons/render/palette.ts";

Deno.test("lookOf: eight players differ, and four NPCs; NPCs and the own dragon have a hue of their own", () => {
  const others = Array.from({ length: 8 }, (_, seat) => lookOf({ seat, own: false, npc: false }));
  assertEquals(new Set(others).size, 8);
  assertEquals(new Set([16, 17, 18, 19].map((seat) => lookOf({ seat, own: false, npc: true }))).size, 4);
  const fills = new Set(others.map(({ fill }) => fill));
  assertEquals(fills.size, 2);
  assert(!fills.has(lookOf({ seat: 3, own: true, npc: false }).fill));
  assert(!fills.has(lookOf({ seat: 3, own: false, npc: true }).fill));
  assert(lookOf({ seat: 3, own: true, npc: false, dead: true }) !== lookOf({ seat: 3, own: true, npc: false }));
});

Deno.test("lookOf: the own dragon differs from all others also while both are dead", () => {
  const fills = [true, false].map((own) => lookOf({ seat: 3, own, npc: false, dead: true }).fill);
  assert(fills[0] !== fills[1]);
});

/** Matrices from linear red, green and blue to a dichromat's: Machado, Oliveira and Fernandes 2009, severity 1. */
const VISIONS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanope: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranope: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanope: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** CIE Lab of "#rrggbb" under that vision (sRGB, D65). */
function labOf(colour: string, vision: readonly (readonly number[])[]): number[] {
  const linear = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const times = (rows: readonly (readonly number[])[], by: readonly number[]) =>
    rows.map((row) => row.reduce((sum, value, i) => sum + value * by[i]!, 0));
  const seen = times(vision, linear).map((c) => Math.min(1, Math.max(0, c)));
  const xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen);
  const [x, y, z] = [xyz[0]! / 0.95047, xyz[1]!, xyz[2]! / 1.08883]
    .map((t) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

Deno.test("ownFill: every colour that a player may choose differs from all others, also for dichromats", () => {
  const others = [0, 1].map((seat) => lookOf({ seat, own: false, npc: false }).fill);
  others.push(lookOf({ seat: 0, own: false, npc: true }).fill);
  for (const own of OWN_COLOURS) {
    for (const [name, vision] of Object.entries(VISIONS)) {
      for (const other of others) {
        const [a, b] = [labOf(ownFill(own), vision), labOf(other, vision)];
        const apart = Math.hypot(...a.map((value, i) => value - b[i]!));
        assert(apart >= 29, `${own} and ${other} are ${apart.toFixed(1)} apart for ${name}`);
      }
    }
  }
});

Deno.test("setOwnColour: changes the own dragon, alive and dead, and no other", () => {
  const fills = () =>
    [true, false].flatMap((own) => [true, false].map((dead) => lookOf({ seat: 3, own, npc: false, dead }).fill));
  const before = fills();
  setOwnColour("mint");
  const after = fills();
  setOwnColour("sky");
  assertEquals(before.map((fill, i) => fill === after[i]), [false, false, true, true]);
  assertEquals(fills(), before);
});
