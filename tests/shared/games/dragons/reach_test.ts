import { assert, assertGreater } from "@std/assert";
import { DEED_REACH, TICK_HZ } from "../../../../shared/games/dragons/tuning.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { Lab } from "../../../tools/lab/lab.ts";

const TICKS = 1200;
/** By then all have joined. */
const JOIN_SECONDS = 1;

Deno.test("dragons: nothing moves faster than a deed is said to reach (SPEC 8.171) [seed 17]", () => {
  const lab = new Lab({ game: dragonGame, seed: 17, npcs: 4 });
  for (let i = 0; i < 4; i++) {
    const commandSource = new Bot(i + 1);
    const network = { oneWayMs: 1, jitterMs: 0, loss: 0 };
    commandSource.attach(lab.join(`bot ${i}`, { commandSource, network }).session);
  }
  lab.run(JOIN_SECONDS);
  let fastest = 0;
  for (let tick = 0; tick < TICKS; tick++) {
    lab.run(1 / TICK_HZ);
    const { world } = lab.players[0]!.session.simulation!;
    for (const { name, vx, vy } of world.all("dragon", "fireball", "crate", "egg")) {
      const speed = Math.hypot(vx, vy);
      fastest = Math.max(fastest, speed);
      assert(speed <= DEED_REACH.metresPerSecond, `a ${name} has ${speed} m/s`);
    }
  }
  assertGreater(fastest, 12, "fire was breathed in flight");
});
