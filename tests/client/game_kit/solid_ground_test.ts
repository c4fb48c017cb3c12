/** The bodies that no frame may show within the ground. */
import { assertEquals } from "@std/assert";
import type { LooseDeclaration, LooseWorld } from "../../../client/game_kit/loose_types.ts";
import { SolidGround } from "../../../client/game_kit/solid_ground.ts";

const fixtures = [{ shape: { circle: 0.5 } }];
const things = {
  crate: { body: { fixtures } },
  slick: { body: { fixtures, mutable: ["friction"] } },
  ghost: { body: { fixtures, mutable: ["mask"] } },
  freezer: { body: { fixtures, mutable: ["gravityScale", "type"] } },
  shield: { body: { fixtures, mutable: ["enabled"] } },
  coin: { body: { fixtures: [{ shape: { circle: 0.5 }, sensor: true }] } },
  bird: { body: { fixtures: [{ shape: { circle: 0.5 }, category: 2 }] } },
  mist: { body: { fixtures: [{ shape: { circle: 0.5 }, mask: 2 }] } },
  wall: { body: { type: "static", fixtures: [{ shape: { box: [1, 3], x: 0.5 } }] } },
};
const declared = (ground: readonly unknown[]) =>
  ({ ground, things }) as unknown as LooseDeclaration;
const worldWith = (walls: readonly { id: number; x: number; y: number }[]) =>
  ({ all: () => walls }) as unknown as LooseWorld;

Deno.test("SolidGround: only bodies that always collide with all of the ground", () => {
  const ground = new SolidGround(declared([{ shape: { box: [5, 0.5] } }]), []);
  assertEquals(Object.keys(things).filter((name) => ground.bodyOf(name) !== undefined), [
    "crate",
    "slick",
    "bird",
  ]);
});

Deno.test("SolidGround: a solid thing counts where it is and as long as it is there (SPEC 26.9)", () => {
  const ground = new SolidGround(declared([]), ["wall"]);
  assertEquals(ground.bodyOf("crate"), undefined);

  ground.follow(worldWith([{ id: 4, x: 2, y: 1 }]));
  assertEquals(ground.bodyOf("crate"), {
    radius: 0.5,
    solids: [{ x: 2.5, y: 1, width: 2, height: 6 }],
  });
  ground.follow(worldWith([{ id: 4, x: 7, y: 1 }]));
  assertEquals(ground.bodyOf("crate")!.solids.map(({ x }) => x), [7.5]);
  ground.follow(worldWith([]));
  assertEquals(ground.bodyOf("crate"), undefined);
});
