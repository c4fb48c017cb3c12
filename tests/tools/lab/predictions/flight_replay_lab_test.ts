import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { assert, assertAlmostEquals, assertEquals, assertGreater } from "@std/assert";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import { LANE, LANE_TICKS } from "../../../../client/debug/replay/seat_lanes.ts";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import { PLAYER_SEATS, SEATS } from "../../../../shared/netcode/game.ts";
import { Lab } from "../lab.ts";
import { PresentedPage } from "./presented_page.ts";

type DragonPage = PresentedPage<DragonCommand, DragonSimulation, KitFrame>;

const NPCS = 3;
const NETWORK = { oneWayMs: 80, jitterMs: 15, loss: 0.02 };
const FRAMES_PER_SECOND = 60;

class Match {
  readonly lab: Lab<DragonCommand, DragonSimulation>;
  readonly pages: DragonPage[] = [];

  constructor(seed: number, { stream = "commands" as "commands" | "state" } = {}) {
    this.lab = new Lab({ game: dragonGame, seed, npcs: NPCS, stream });
  }

  join({ ordered = true } = {}): DragonPage {
    const bot = new Bot(this.lab.random.bits());
    const name = `rider ${this.pages.length}`;
    const playable = {
      game: dragonGame,
      view: dragonView,
      bodyStream: bodyStreamSupport(dragonGame),
    };
    const page = new PresentedPage(this.lab, {
      playable,
      name,
      controls: bot,
      network: NETWORK,
      ordered,
    });
    bot.attach(page.session);
    this.pages.push(page);
    return page;
  }

  leave(page: DragonPage): void {
    page.session.close();
    this.pages.splice(this.pages.indexOf(page), 1);
  }

  /** @param replayed the pages that have their recording replayed on the way */
  play(seconds: number, replayed: readonly DragonPage[] = []): void {
    for (let frame = 0; frame < seconds * FRAMES_PER_SECOND; frame++) {
      this.lab.run(1 / FRAMES_PER_SECOND);
      for (const page of this.pages) page.draw();
      if (frame % 15 === 0) { for (const page of replayed) page.replayRecording(); }
    }
    for (const page of replayed) page.replayRecording();
  }
}

/** Own corrections that the replay found. A cause is final 0.6 s after its correction. */
const ownCorrections = ({ corrections, session }: DragonPage) =>
  corrections.filter(({ seat }) => seat === session.seat).length;

for (const ordered of [true, false]) {
  // The own dragon is rarely corrected over datagrams, so not every seed has corrections.
  const link = ordered ? "reliable link" : "datagrams";
  const seed = ordered ? 103 : 106;

  Deno.test(`FlightReplay: has the page's own states and corrections, with players that come and go and stalls, ${link} [seed ${seed}]`, () => {
    const match = new Match(seed);
    const page = match.join({ ordered });
    for (let i = 0; i < 2; i++) match.join({ ordered });
    match.play(5, [page]);
    const leaving = match.pages.at(-1)!;
    for (let round = 0; round < 3; round++) {
      match.join({ ordered });
      page.thread.stall(250);
      match.play(5, [page]);
    }

    match.leave(leaving);
    match.play(3, [page]);
    assertEquals(page.divergences, 0);
    assertGreater(
      page.telemetry.flight.entries.filter(({ state }) => state !== undefined).length,
      3,
    );
    assertGreater(page.corrections.length, 100);
    assertGreater(ownCorrections(page), ordered ? 2 : 0);
    assertAlmostEquals(ownCorrections(page), page.session.stats.ownCorrectionsOver5cm, 1);
    const named = page.corrections.filter(({ cause }) => cause !== "unknown").length;
    assertGreater(named / page.corrections.length, 0.95);
    for (const { since, tick, by, changes, cause } of page.corrections) {
      if (cause === "unknown" || cause === "presence") continue;
      assert(by !== undefined && since !== undefined && since <= tick);
      assertGreater(changes.length, 0);
      assert(changes.every(({ guessed, actual }) => guessed !== actual));
    }
  });
}

Deno.test("FlightReplay: an overlay that is opened later has the same corrections of the last minute [seed 92]", () => {
  const match = new Match(92);
  const page = match.join();
  match.join();
  match.play(75, [page]);
  const late = new Match(92);
  const other = late.join();
  late.join();
  late.play(75);
  assertGreater(other.telemetry.flight.removed, 100);
  other.replayRecording();
  assertEquals(other.divergences, 0);
  const from = match.lab.nowMs - 60_000;
  const recent = ({ corrections }: DragonPage) => corrections.filter(({ atMs }) => atMs > from);
  assertGreater(recent(page).length, 20);
  assertEquals(
    recent(other).map(({ delay: _, ...rest }) => rest),
    recent(page).map(({ delay: _, ...rest }) => rest),
  );
});

Deno.test("FlightReplay: lanes have the commands that were known in time, guessed and late [seed 93]", () => {
  const match = new Match(93);
  const page = match.join();
  for (let i = 0; i < 2; i++) match.join();
  match.play(8, [page]);
  const { stats, seat } = page.session;
  const before = { ...stats };
  const from = page.session.head + 1;
  match.play(20, [page]);
  const { lanes } = page.replay!;
  const to = page.session.definitiveTick;
  const counts = Array.from({ length: SEATS }, () => [0, 0, 0, 0, 0]);
  for (let tick = from; tick <= to; tick++) {
    for (let seat = 0; seat < SEATS; seat++) counts[seat]![lanes.at(tick, seat)]!++;
  }
  const ticks = to - from + 1;
  const npcs = counts.slice(PLAYER_SEATS, PLAYER_SEATS + NPCS);
  assertEquals(npcs.length, NPCS);
  const known = npcs.reduce((sum, lane) => sum + lane[LANE.known]!, 0);
  const share = (stats.npcKnownInTime - before.npcKnownInTime) /
    (stats.npcCommands - before.npcCommands);
  assertAlmostEquals(known / (NPCS * ticks), share, 0.02);
  assertAlmostEquals(counts[seat]![LANE.late]!, stats.commandsLate - before.commandsLate, 3);
  assertGreater(counts[seat]![LANE.known]!, 0.9 * ticks);

  // At this round trip a rival's command is never known in time, and some of the guesses are right.
  const rival = counts.findIndex((lane, other) => other !== seat && lane[LANE.wrong]! > 0);
  assertGreater(counts[rival]![LANE.wrong]!, 0.1 * ticks);
  assertGreater(counts[rival]![LANE.guessed]!, 0.05 * ticks);
  assertEquals(counts[30]![LANE.empty], ticks);
  assertEquals(lanes.at(lanes.newest - LANE_TICKS, seat), LANE.empty);
});

Deno.test("FlightReplay: goes on from the server's state after a desync, which it cannot have itself [seed 94]", () => {
  const match = new Match(94);
  const page = match.join();
  match.join();
  match.play(6, [page]);

  // The page's engine errs in one tick, after which the own dragon flies on with another velocity.
  const simulation = page.session.simulation!;
  const step = simulation.step.bind(simulation);
  const wrongTick = simulation.tick + 9;
  simulation.step = (commands) => {
    const dragon = simulation.world.player(page.session.seat)!;
    if (simulation.tick === wrongTick) {
      simulation.stage.setVelocity(dragon.entity, dragon.vx + 4, dragon.vy + 4);
    }
    step(commands);
  };
  match.play(6, [page]);
  assertEquals(page.session.stats.desyncs, 1);
  assert(page.session.isInSync);
  const until = match.lab.nowMs;
  match.play(10, [page]);
  assertEquals(page.divergences, 0);
  assertGreater(page.corrections.filter(({ atMs }) => atMs > until).length, 10);
});

Deno.test("FlightReplay: goes on after a stall so long that the page takes a state [seed 96]", () => {
  const match = new Match(96);
  const page = match.join();
  match.join();
  match.play(6, [page]);
  page.thread.stall(5000);
  match.play(8, [page]);
  const until = match.lab.nowMs;
  match.play(10, [page]);
  assertGreater(page.session.stats.statesAdopted, 1);
  assertEquals(page.divergences, 0);
  assertGreater(page.corrections.filter(({ atMs }) => atMs > until).length, 10);
});

Deno.test("FlightReplay: on the body stream there are lanes and no causes [seed 95]", () => {
  const match = new Match(95, { stream: "state" });
  const page = match.join();
  match.join();
  match.play(8, [page]);
  assert(page.session.isOnBodyStream);
  assertEquals([page.corrections.length, page.divergences], [0, 0]);
  const { seat, definitiveTick } = page.session;
  const lanes = Array.from(
    { length: 60 },
    (_, i) => page.replay!.lanes.at(definitiveTick - 5 - i, seat),
  );
  const known = lanes.filter((lane) => lane === LANE.known).length;
  // The others reached the server late.
  assertEquals(lanes.filter((lane) => lane === LANE.late).length, lanes.length - known);
  assertGreater(known, 0.9 * lanes.length);
});
