import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { Lab } from "../lab.ts";
import { ArrivedCommands } from "./arrived_commands.ts";
import { runWithPauses } from "./pauses.ts";
import { RandomDragonControls } from "../random_controls.ts";

const RIDERS = 3;
const WARM_UP_SECONDS = 10;
const AFTERWARDS_SECONDS = 4;
/** How long the definitive state takes to catch up with a rider who no longer presses, s. */
const QUIET_SECONDS = 3;

interface StallOptions {
  readonly oneWayMs: number;
  readonly stallMs: number;
  /** Added to the time at which the stall begins, ms. Pings go out once a second. */
  readonly phaseMs?: number;
  readonly ordered?: boolean;
}

/** Ticks from the newest definitive one to the head; the advised lead. */
interface Position {
  readonly aheadTicks: number;
  readonly advisedMs: number;
}

/** A match of riders who press all the time, on a server that stalls once. */
function stallOnce({ oneWayMs, stallMs, phaseMs = 0, ordered = true }: StallOptions) {
  const lab = new Lab({ game: dragonGame, seed: 3, npcs: 4 });
  const riders = Array.from({ length: RIDERS }, (_, i) => new RandomDragonControls(i + 1));
  const network = { oneWayMs, jitterMs: 2 };
  const players = riders.map((commandSource, i) =>
    lab.join(`rider ${i}`, { commandSource, network, ordered })
  );
  const { session } = players[0]!;
  lab.run(WARM_UP_SECONDS + phaseMs / 1000);
  const positions: Position[] = [];
  const observe = () =>
    positions.push({
      aheadTicks: session.head - session.definitiveTick,
      advisedMs: session.advisedLeadMs,
    });
  observe();
  const before = positions.pop()!;
  const { tick } = lab.match!;
  lab.stallServer(stallMs);
  lab.run(stallMs / 1000);
  for (let t = 0; t < AFTERWARDS_SECONDS; t += 0.05) {
    lab.run(0.05);
    observe();
  }
  const droppedTicks = Math.round((stallMs + 1000 * AFTERWARDS_SECONDS) / 50) -
    (lab.match!.tick - tick);
  for (const rider of riders) rider.isIdle = true;
  lab.run(QUIET_SECONDS);
  return { lab, riders, players, before, positions, droppedTicks };
}

/** Asserts that the game has seen each of the riders' presses once. */
function assertPresses({ lab, riders, players }: ReturnType<typeof stallOnce>): void {
  riders.forEach(({ flapTotal, fireTotal }, i) => {
    const { flapPresses, firePresses } =
      lab.serverSimulation!.world.player(players[i]!.session.seat)!.fields;
    assertGreater(flapTotal, 25);
    assertEquals([flapPresses, firePresses], [flapTotal, fireTotal]);
    assertEquals(players[i]!.session.stats.desyncs, 0);
  });
}

for (const stallMs of [600, 1200]) {
  Deno.test(`Lab: three round trips and two ticks after the server stalled for ${stallMs} ms no client runs ahead; each press counts once (SPEC 1.2, 5.27, 5.28, 5.46) [seed 3]`, () => {
    for (const oneWayMs of [1, 30, 200]) {
      // Far from the server, it matters more when the last ping before the stall was sent.
      for (const phaseMs of oneWayMs < 100 ? [250, 500] : [0, 250, 500, 750]) {
        const run = stallOnce({ oneWayMs, stallMs, phaseMs, ordered: phaseMs < 500 });
        assertGreater(run.droppedTicks, 5);
        // A tick message, the ping after the gap and the ping that confirms it take less than three
        // round trips.
        const back = run.positions.slice(Math.ceil((3 * 2 * oneWayMs + 100) / 50));
        for (const { aheadTicks } of back) assertLess(aheadTicks, run.before.aheadTicks + 3);
        assertPresses(run);
      }
    }
  });
}

Deno.test("Lab: the server's own stall teaches it nothing about a client's network (SPEC 5.29) [seed 3]", () => {
  for (const stallMs of [150, 600, 1200]) {
    const { before, positions } = stallOnce({ oneWayMs: 30, stallMs });
    const advisedMs = Math.max(...positions.map((position) => position.advisedMs));
    assert(advisedMs < before.advisedMs + 30, `${before.advisedMs} ms, then ${advisedMs} ms`);
  }
});

/**
 * A rider on a 20 ms connection. It counts commands that came in time, and those of them that the
 * server did not take.
 */
function joinWatched(
  lab: Lab<DragonCommand, DragonSimulation>,
  { seed, ordered }: { seed: number; ordered: boolean },
) {
  const decoder = new ServerMessageDecoder<DragonCommand>(
    dragonGame.command,
    bodyStreamSupport(dragonGame)!.reader,
  );
  const arrived = new ArrivedCommands(dragonGame, { ordered });
  const taken = new Set<Tick>();
  const counts = { inTime: 0, lost: 0 };
  const count = (tick: Tick) => {
    if (arrived.inTimeFor(tick, lab.tickDueMs(tick)) === undefined) return;
    counts.inTime++;
    if (!taken.has(tick)) counts.lost++;
  };
  const { session } = lab.join(`rider ${seed}`, {
    commandSource: new RandomDragonControls(seed),
    network: { oneWayMs: 20, jitterMs: 2 },
    ordered,
    // What is sent here comes to the server's socket at once, and what the server sends comes here.
    around: (end) => {
      const { send, sendReliably, onMessage } = end;
      const add = (message: Uint8Array, reliably: boolean) =>
        arrived.add(message, { reliably, nowMs: lab.nowMs, newestTick: lab.match?.tick ?? 0 });
      end.send = (message) => {
        add(message, ordered);
        send.call(end, message);
      };
      end.sendReliably = (message) => {
        add(message, true);
        sendReliably.call(end, message);
      };
      end.onMessage = (handler) =>
        onMessage.call(end, (bytes, reliably) => {
          const message = decoder.decode(bytes);
          const ticks = message.type === "ticks"
            ? message.ticks
            : message.type === "tick"
            ? [message]
            : [];
          for (const { announcements } of ticks) {
            for (const { seat, tick } of announcements) if (seat === session.seat) taken.add(tick);
          }
          if (ticks.length > 0) count(ticks.at(-1)!.tick);
          handler(bytes, reliably);
        });
      return end;
    },
  });
  return { session, counts };
}

for (const ordered of [true, false]) {
  const link = ordered ? "ordered" : "datagram";

  Deno.test(`Lab: commands that arrive while the server pauses for 20 to 300 ms are taken, ${link} (SPEC 2.15) [seed 6]`, () => {
    const lab = new Lab({ game: dragonGame, seed: 6, npcs: 4 });
    const riders = [1, 2, 3].map((seed) => joinWatched(lab, { seed, ordered }));
    lab.run(WARM_UP_SECONDS);
    const { ticks } = lab.match!.stats;
    runWithPauses(lab, { ms: 30_000, draw: 6 });
    assertGreater(lab.match!.stats.ticks - ticks, 500);
    for (const { session, counts } of riders) {
      assertGreater(counts.inTime, 250);
      assertEquals(counts.lost, 0);
      assertEquals([session.phase, session.stats.desyncs], ["playing", 0]);
    }
    // A few were still under way when a late tick ran.
    assertLess(lab.match!.stats.commandsLateByServer, 30);
  });
}
