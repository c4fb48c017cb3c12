/** The bodies that no frame may show within the ground. */
import { assertEquals } from "@std/assert";
import { bodiesOf } from "../../../client/game_kit/solid_ground.ts";

Deno.test("bodiesOf: only bodies that always collide with all of the ground", () => {
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
    wall: { body: { type: "static", fixtures } },
  };
  const ground = [{ shape: { box: [5, 0.5] } }];
  const declaration = { ground, things } as unknown as Parameters<typeof bodiesOf>[0];
  assertEquals([...bodiesOf(declaration).keys()], ["crate", "slick", "bird"]);
});
