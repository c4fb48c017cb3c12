/** The lab's snapshots: real bytes, which both ends read alike. */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import { SnapshotDecoder, SnapshotEncoder } from "../../../client/lab/engine/snapshots.ts";
import { dragons } from "../../../client/lab/scenes/dragons.ts";
import { BodyList } from "../../../shared/body_list.ts";
import { SEATS } from "../../../shared/netcode/game.ts";

const { game } = dragons;

/** Plays some ticks. @returns each tick's bodies as the server has them, and as a client reads them */
function sent(ordered: boolean, isLost: (tick: number) => boolean = () => false) {
  const simulation = game.start({ npcs: 2 }, 5);
  const encoder = new SnapshotEncoder(game, { ordered });
  const decoder = new SnapshotDecoder(game, { ordered });
  const commands = Array.from(
    { length: SEATS },
    (_, seat) => seat < 2 || seat === 16 ? { ...game.command.neutral, dir: seat % 2 } : undefined,
  );
  const ticks = [];
  for (let tick = 1; tick <= 60; tick++) {
    simulation.step(commands);
    const server = new BodyList();
    game.bodies!.fill(simulation, server);
    const bytes = encoder.encode(server, commands).slice();
    if (isLost(tick)) continue;
    const client = new BodyList();
    ticks.push({ bytes, server, client, read: decoder.decode(bytes, client), commands });
  }
  return ticks;
}

Deno.test("SnapshotEncoder: a client reads every body to 1/512 m, and every command, and unchanged bodies cost little (SPEC 20.3)", () => {
  const ticks = sent(true);
  for (const { server, client, read, commands } of ticks) {
    assertEquals([client.tick, client.count], [server.tick, server.count]);
    for (let i = 0; i < server.count; i++) {
      const there = server.at(i);
      const here = client.at(i);
      assertEquals([here.entity, here.fieldBits], [there.entity, there.fieldBits]);
      // A joint is where its ends are
      if (game.bodies!.schemas[there.schemaIndex]!.isJoint) continue;
      assertAlmostEquals(here.x, there.x, 1 / 500);
      assertAlmostEquals(here.y, there.y, 1 / 500);
    }
    assertEquals(read, commands);
  }
  assertLess(ticks.at(-1)!.bytes.length, ticks[0]!.bytes.length / 2);
});

Deno.test("SnapshotEncoder: by datagram each snapshot stands alone (SPEC 20.3)", () => {
  const ticks = sent(false, (tick) => tick % 3 > 0);
  assertGreater(ticks.length, 10);
  assert(ticks.every(({ server, client }) => client.count === server.count));
});
