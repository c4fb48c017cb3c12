/** A client goes over to a datagram path and back in play, in virtual time: nothing is lost, nothing is joined again. */
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { counterGame } from "./counter_game.ts";
import { Lab, type Player } from "./lab.ts";
import { RandomCounterControls } from "./random_controls.ts";

const NETWORK = { oneWayMs: 45, jitterMs: 20, loss: 0.03 };

/** Runs until a condition holds. @returns the seconds that it took */
function runUntil(lab: { run(seconds: number): void }, condition: () => boolean, secondsMax: number): number {
  for (let steps = 0; steps <= secondsMax * 100; steps++) {
    if (condition()) return steps / 100;
    lab.run(0.01);
  }
  throw new Error("the condition does not come");
}

const transportOf = ({ session }: { session: Player<never>["session"] }) => session.datagrams?.report!.transport;

Deno.test("Lab: clients go over to datagrams and back again and again: each press and each tick once, no state, no desync (SPEC 16.10, 16.12, 16.13) [seed 71]", () => {
  const lab = new Lab({ game: counterGame, seed: 71, npcs: 3 });
  const controls = [1, 2, 3].map((seed) => new RandomCounterControls(seed));
  const players = controls.map((commandSource, i) =>
    lab.joinByPath(`p${i}`, { commandSource, network: NETWORK, isForAll: i < 2 })
  );
  let cuts = 0;
  for (let round = 0; round < 3; round++) {
    for (const [i, player] of players.slice(0, 2).entries()) {
      runUntil(lab, () => transportOf(player as never) === "webtransport", 70);
      lab.run(3);
      // A black-out of both ways, then of one.
      Object.assign(player.link.cut, [{ up: true, down: true }, { up: true }, { down: true }][(round + i) % 3]);
      cuts++;
      const seconds = runUntil(lab, () => transportOf(player as never) === "websocket", 3);
      assertLess(seconds, 2.3);
      Object.assign(player.link.cut, { up: false, down: false });
    }
  }
  lab.run(2);
  for (const each of controls) each.isIdle = true;
  lab.run(5);
  assertEquals(players.map(({ session }) => session.datagrams?.report!.returns), [cuts / 2, cuts / 2, 0]);
  players.forEach(({ session }, i) => {
    const { stats } = session;
    assertEquals([session.phase, stats.desyncs, stats.statesAdopted], ["playing", 0, 1], session.closeReason);
    assertGreater(stats.rollbacks, 100);
    assertEquals(lab.serverSimulation!.pressesOf(session.seat), controls[i]!.pressTotal);
    assertLess(lab.match!.tick - stats.ticks, 25);
    assertEquals(session.provenHash(session.definitiveTick), lab.definitiveHashes.get(session.definitiveTick));
  });
});
