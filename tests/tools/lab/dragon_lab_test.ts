import type { DragonCommand, DragonSimulation } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { PLAYER_SEATS } from "../../../shared/netcode/game.ts";
import { Lab, type Player } from "./lab.ts";
import { RandomDragonControls } from "./random_controls.ts";

const NETWORK = { oneWayMs: 60, jitterMs: 20 };
const PLAY_SECONDS = 20;

/** The number of players' dragons, because the number of NPCs varies with the eggs. */
function playersOf({ world }: DragonSimulation): number {
  return world.all("dragon").filter(({ seat }) => seat < PLAYER_SEATS).length;
}

function play(seed: number, stream: "commands" | "state") {
  const lab = new Lab({ game: dragonGame, seed, npcs: 4, stream });
  const riders = [1, 2, 3, 4].map((n) => new RandomDragonControls(seed * 10 + n));
  let contacts = 0;
  let newestTick = 0;
  const players = riders.map((commandSource, i) =>
    lab.join(`rider ${i}`, {
      commandSource,
      network: NETWORK,
      onEvents: () => {
        if (i !== 0) return;
        const { tick, contactsBegun } = players[0]!.session.simulation!;
        if (tick > newestTick) contacts += contactsBegun;
        newestTick = Math.max(tick, newestTick);
      },
    })
  );
  lab.run(PLAY_SECONDS);
  for (const rider of riders) rider.isIdle = true;
  lab.run(5);
  return { lab, riders, players, contacts };
}

function assertEqualEverywhere(
  lab: Lab<DragonCommand, DragonSimulation>,
  players: readonly Player<DragonCommand, DragonSimulation>[],
): void {
  for (const { session } of players) {
    assertEquals(session.phase, "playing");
    assertEquals(session.stats.desyncs, 0);
    let compared = 0;
    for (let tick = session.definitiveTick - 100; tick <= session.definitiveTick; tick++) {
      const proven = session.provenHash(tick);
      if (proven === undefined) continue;
      assertEquals(proven, lab.definitiveHashes.get(tick), `tick ${tick}`);
      compared++;
    }
    assertGreater(compared, 95);
  }
}

Deno.test("Lab: dragons over delay and jitter: every press is counted, every definitive tick arrives and is equal (SPEC 1.2, 2.1, 4.1) [seed 31]", () => {
  const { lab, riders, players, contacts } = play(31, "commands");
  const server = lab.serverSimulation!;
  assertEqualEverywhere(lab, players);
  assertGreater(contacts, 15);
  let late = 0;
  let sent = 0;
  players.forEach(({ session }, i) => {
    const { stats } = session;
    const dragon = server.world.player(session.seat)!;
    assertEquals(dragon.fields.flapPresses, riders[i]!.flapTotal);
    assertEquals(dragon.fields.firePresses, riders[i]!.fireTotal);
    assertGreater(riders[i]!.flapTotal, 50);
    assertGreater(stats.rollbacks, 35);
    assertGreater(stats.resimulatedTicks, stats.rollbacks);
    assertGreater(stats.npcKnownInTime / stats.npcCommands, 0.99);
    // The first message carries a state. Each later tick has one message, without a state.
    assertEquals(stats.statesAdopted, 1);
    assertGreater(stats.ticks, (PLAY_SECONDS + 4) * dragonGame.tickHz);
    late += stats.commandsLate;
    sent += stats.commandsSent;
  });
  assertGreater(late, 0);
  assertLess(late / sent, 0.03);
});

Deno.test("Lab: dragons with --stream state: clients adopt the state of every tick and play (SPEC 6.3) [seed 32]", () => {
  const { lab, riders, players } = play(32, "state");
  const server = lab.serverSimulation!;
  players.forEach(({ session }, i) => {
    assertEquals(session.phase, "playing");
    assertEquals(session.stats.desyncs, 0);
    assertGreater(session.stats.statesAdopted, PLAY_SECONDS * dragonGame.tickHz);
    assertEquals(server.world.player(session.seat)!.fields.flapPresses, riders[i]!.flapTotal);
    // The client predicts ahead of the adopted state, with the commands that it has given since.
    assertGreater(session.head, session.definitiveTick);
    assertLess(session.stats.ownCorrectionsOver5cm, 0.05 * session.stats.ticks);
  });
});

Deno.test("Lab: a late player joins the same match; a player that leaves takes their dragon along (SPEC 3.1, 3.2) [seed 33]", () => {
  const lab = new Lab({ game: dragonGame, seed: 33, npcs: 2 });
  const first = lab.join("first", { commandSource: new RandomDragonControls(1), network: NETWORK });
  lab.run(20);
  const second = lab.join("second", {
    commandSource: new RandomDragonControls(2),
    network: NETWORK,
  });
  lab.run(20);
  const server = lab.serverSimulation!;
  assertEqualEverywhere(lab, [first]);
  assertEquals(second.session.stats.desyncs, 0);
  assertEquals(playersOf(server), 2);
  assertEquals(first.session.names.get(second.session.seat), "second");
  const { rollbacks } = first.session.stats;
  const seat = second.session.seat;
  lab.leave(second);
  lab.run(10);
  assertEquals(playersOf(server), 1);
  assertEquals(server.world.player(seat), undefined);
  assertEquals(first.session.stats.desyncs, 0);
  assertGreater(rollbacks, 0);
});

Deno.test("Lab: no client mispredicts a player that joins or leaves (SPEC 3.7) [seed 34]", () => {
  const lab = new Lab({ game: dragonGame, seed: 34, npcs: 3 });

  // Players never press anything, so others can mispredict only presence.
  const idleControls = () => Object.assign(new RandomDragonControls(0), { isIdle: true });
  const observers = [1, 2].map((n) =>
    lab.join(`watcher ${n}`, { commandSource: idleControls(), network: NETWORK })
  );
  lab.run(15);
  const server = lab.serverSimulation!;
  const before = observers.map(({ session }) => session.stats.rollbacks);
  const guests = [1, 2, 3].map((n) =>
    lab.join(`guest ${n}`, { commandSource: idleControls(), network: NETWORK })
  );
  lab.run(10);
  assertEquals(playersOf(server), 2 + 3);
  for (const guest of guests) lab.leave(guest);
  lab.run(10);
  assertEquals(playersOf(server), 2);
  assertEquals(observers.map(({ session }) => session.stats.rollbacks), before);
  assertEqualEverywhere(lab, observers);
});
