import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import {
  assert,
  assertEquals,
  assertGreater,
  assertLess,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import { view as puckView } from "../../../../client/games/puck/view.ts";
import { type BotPlayer, NpcBot } from "../../../../client/bots/npc_bot.ts";
import type { PlayableGame } from "../../../../client/presentation/match_presenter.ts";
import type { Telemetry } from "../../../../client/presentation/telemetry.ts";
import type { Simulation } from "../../../../shared/netcode/game.ts";
import { decodeLagFile, encodeLagFile, isLagFile } from "../../../../client/debug/lag/lag_file.ts";
import { LAG_VERSION, type LagReport } from "../../../../client/debug/lag/lag_report.ts";
import { LagPlayer } from "../../../../client/replay/lag/lag_player.ts";
import { Random } from "../../../../shared/random.ts";
import { game as puckGame } from "../../../../shared/games/puck/game.ts";
import { LogError } from "../../../../shared/netcode/match_log/records.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { Lab } from "../lab.ts";
import { PresentedPage } from "./presented_page.ts";

const NETWORK = { oneWayMs: 110, jitterMs: 30, loss: 0.02 };
const NAMES = new Map([[0, "Ash"], [1, "Wren"]]);

interface PlayedGame<Command, Sim extends Simulation<Command>, Frame> {
  readonly playable: PlayableGame<Command, Sim, Frame>;
  readonly newBot: (seed: number) => BotPlayer<Command, Sim>;
}

interface Played {
  readonly seed: number;
  readonly seconds: number;
  readonly ordered?: boolean;
}

const dragons = {
  playable: { game: dragonGame, view: dragonView, bodyStream: undefined },
  newBot: (seed: number) => new Bot(seed),
};
const puck = {
  playable: { game: puckGame, view: puckView, bodyStream: undefined },
  newBot: () => new NpcBot(puckGame),
};

/** Plays two players on a bad connection, and returns the first one's page. */
function playedPage<Command, Sim extends Simulation<Command>, Frame>(
  { playable, newBot }: PlayedGame<Command, Sim, Frame>,
  { seed, seconds, ordered = true }: Played,
): PresentedPage<Command, Sim, Frame> {
  const lab = new Lab({ game: playable.game, seed, npcs: 2 });
  const pages = [...NAMES.values()].map((name) => {
    const bot = newBot(lab.random.bits());
    const page = new PresentedPage(lab, {
      playable,
      name,
      controls: bot,
      network: NETWORK,
      ordered,
    });
    bot.attach(page.session);
    return page;
  });
  const page = pages[0]!;
  for (let i = 0; i < seconds * 4; i++) {
    lab.run(0.25);
    page.replayRecording();
  }
  return page;
}

function reportOf(
  { telemetry: { flight } }: { telemetry: Telemetry },
  gameId = dragonGame.id,
): LagReport {
  const { npcs, seed, choices, isOrdered, seat: ownSeat = -1 } = flight.welcome!;
  const { entries } = flight;
  // The lab draws none.
  const frames: LagReport["frames"] = [];
  return {
    gameId,
    room: "LABS",
    npcs,
    seed,
    choices,
    isOrdered,
    ownSeat,
    names: NAMES,
    entries,
    frames,
  };
}

const page = playedPage(dragons, { seed: 261, seconds: 12 });
const report = reportOf(page);
const file = encodeLagFile(report, dragonGame);

Deno.test("LagPlayer: has the page's corrections with their causes, and the server's hashes (SPEC 15.31) [seed 261]", () => {
  const player = new LagPlayer(dragonGame, file);
  while (!player.check(64));
  const { status: { error, difference }, room, names } = player;
  assertEquals([error, difference, room, names], [undefined, undefined, "LABS", NAMES]);
  // A cause is final 0.6 s after its correction, so the report contains a few more than the page's
  // own replay.
  const { corrections } = page;
  const found = player.corrections.slice(0, corrections.length);
  assertGreater(corrections.length, 10);
  const facts = (of: typeof corrections) =>
    of.map(({ tick, seat, metres, cause, by }) => [tick, seat, metres, cause, by]);
  assertEquals(facts(found), facts(corrections));
  assert(player.corrections.every(({ cause }) => cause !== "unknown"));
  // All ticks except those of the join, and those with a state that has not arrived yet.
  assertGreater(player.status.equalTicks, (player.lastTick - player.firstTick) * 0.8);
});

Deno.test("LagPlayer: a game of the kit has the page's corrections, and the server's hashes (SPEC 15.31) [seed 264]", () => {
  const played = playedPage(puck, { seed: 264, seconds: 6 });
  const kitReport = reportOf(played, puckGame.id);
  const player = new LagPlayer(puckGame, encodeLagFile(kitReport, puckGame));
  while (!player.check(64));
  player.goTo(player.lastTick);
  assertEquals([player.status.error, player.shown.simulation.tick], [undefined, player.lastTick]);
  const { corrections } = played;
  const facts = (of: typeof corrections) =>
    of.map(({ tick, seat, metres }) => [tick, seat, metres]);
  assertGreater(corrections.length, 3);
  assertEquals(facts(player.corrections.slice(0, corrections.length)), facts(corrections));
  assertGreater(player.status.equalTicks, (player.lastTick - player.firstTick) * 0.8);
});

Deno.test("LagPlayer: the first tick whose hash is not the server's is named, and the replay goes on (SPEC 15.31) [seed 261]", () => {
  const wrong = report.entries.flatMap(({ ticks }) => ticks).find(({ tick }) => tick > 100)!.tick;
  const entries = report.entries.map((entry) => ({
    ...entry,
    ticks: entry.ticks.map((each) => each.tick < wrong ? each : { ...each, hash: each.hash ^ 1 }),
  }));
  const player = new LagPlayer(dragonGame, encodeLagFile({ ...report, entries }, dragonGame));
  while (!player.check(64));
  assertEquals([player.status.error, player.status.difference?.tick], [undefined, wrong]);
  player.goTo(player.lastTick);
  assertEquals(player.shown.tick, player.lastTick);
});

Deno.test("LagPlayer: every tick is as the page first had it, in any order, and the same each time (SPEC 15.31) [seed 261]", () => {
  const player = new LagPlayer(dragonGame, file);
  const hashes = new Map<number, number>();
  const random = new Random(261);
  const hash = () => hashOfSnapshot(player.shown.snapshot);
  for (let tick = player.firstTick; tick <= player.lastTick; tick++) {
    player.goTo(tick);
    assertEquals(player.shown.simulation.tick, tick);
    hashes.set(tick, hash());
  }

  for (let i = 0; i < 40; i++) {
    const tick = player.firstTick + random.below(player.lastTick - player.firstTick);
    player.goTo(tick);
    assertEquals([player.shown.tick, hash()], [tick, hashes.get(tick)]);
  }

  // The newest tick is a prediction that nothing has corrected yet.
  const state = new Snapshot(0);
  assert(page.session.copyState(player.lastTick, state));
  assertEquals(hashes.get(player.lastTick), hashOfSnapshot(state));
});

Deno.test("lag file: what was recorded comes back, over datagrams too (SPEC 15.30) [seed 262]", () => {
  for (
    const each of [report, reportOf(playedPage(dragons, { seed: 262, seconds: 6, ordered: false }))]
  ) {
    const bytes = encodeLagFile(each, dragonGame);
    const read = decodeLagFile(bytes, dragonGame);
    assert(isLagFile(bytes));
    assertEquals({ ...read, entries: [], frames: [] }, { ...each, entries: [], frames: [] });
    const parts = ({ entries }: LagReport) =>
      entries.map(({ definitive, steps, state, isRebased }) => ({
        definitive,
        steps,
        state,
        isRebased,
      }));
    assertEquals(parts(read), parts(each));
    const slots = ({ entries }: LagReport) =>
      entries.flatMap(({ ticks, commands }) => [ticks.length, commands.length]);
    assertEquals(slots(read), slots(each));
    assertEquals(encodeLagFile(read, dragonGame), bytes, "times are whole units now");
  }
});

Deno.test("lag file: the drawn frames come back, and say what was seen of a correction (SPEC 15.61) [seed 261]", () => {
  // Frames that ease the first correction of another seat, each on the entries' clock
  const all = new LagPlayer(dragonGame, file);
  while (!all.check(64));
  const { seat, atMs, metres } = all.corrections[0]!;
  const fromMs = report.entries[0]!.atMs;
  const offsetAt = (sinceMs: number) => sinceMs < 0 ? 0 : metres * Math.exp(-sinceMs / 60);
  const frames = Array.from({ length: 400 }, (_, i) => {
    const shownMs = atMs - 64 + 16 * i;
    const offset = offsetAt(shownMs - atMs);
    return {
      atMs: fromMs + shownMs,
      offsets: new Map(offset < 0.01 ? [] : [[seat, offset]]),
    };
  });
  const bytes = encodeLagFile({ ...report, frames }, dragonGame);
  const read = decodeLagFile(bytes, dragonGame);
  assertEquals(read.frames.length, frames.length);
  assertEquals(encodeLagFile(read, dragonGame), bytes, "times and offsets are whole units now");
  assertLess(bytes.length - file.length, 4 * frames.length);

  const player = new LagPlayer(dragonGame, bytes);
  while (!player.check(64));
  const { seen, visibleMs } = player.sightOf(player.corrections[0]!)!;
  const easedMs = 60 * Math.log(metres / 0.05);
  assertEquals(seen, "slid");
  assertLess(Math.abs(visibleMs! - easedMs), 40);
  assertEquals(player.sightOf({ ...player.corrections[0]!, atMs: atMs - 1000 }), undefined);
});

Deno.test("lag file: a minute of dragons is small (SPEC 15.30) [seed 261]", () => {
  assertLess(file.length, 12_000 * 12);
});

Deno.test("lag file: every changed bit and every cut is refused in a sentence (SPEC 15.32) [seed 261]", () => {
  const random = new Random(261);
  const bits = file.length * 8;
  for (let i = 0; i < 600; i++) {
    const bit = 13 * 8 + random.below(bits - 13 * 8);
    const changed = file.slice();
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assertThrows(() => decodeLagFile(changed, dragonGame), LogError, "a lag file");
  }
  for (let i = 0; i < 300; i++) {
    const length = 13 + random.below(file.length - 13);
    assertThrows(() => decodeLagFile(file.subarray(0, length), dragonGame), LogError, "cut short");
  }
  const longer = new Uint8Array([...file, 0]);
  assertThrows(() => decodeLagFile(longer, dragonGame), LogError, "another end");
});

Deno.test("lag file: another version, game or length is refused in a sentence (SPEC 15.32)", () => {
  const refusal = (bytes: Uint8Array) =>
    assertThrows(() => decodeLagFile(bytes, dragonGame), LogError).message;
  const older = file.slice();
  older["wyvern lag ".length] = "0".charCodeAt(0);
  assert(isLagFile(older));
  assertEquals(refusal(older), `a lag file of version 0; this page has ${LAG_VERSION}`);
  assertEquals(
    refusal(new TextEncoder().encode("wyvern lag of mine")),
    "a lag file without a version",
  );
  assertThrows(() => decodeLagFile(file, puckGame), LogError, "which is another game");
  const huge = new Uint8Array(1 << 24);
  huge.set(file);
  assertStringIncludes(refusal(huge), "a lag file of more than");
  assert(!isLagFile(new TextEncoder().encode('{"format":"wyvern trace 2"}')));
});

Deno.test("LagPlayer: states and lists that nobody recorded are refused or shown as an error, never thrown (SPEC 15.32) [seed 263]", () => {
  const random = new Random(263);
  for (let i = 0; i < 40; i++) {
    const entries = report.entries.slice(0, 200).map((entry) => {
      if (entry.state === undefined || entry.state.words.length === 0) return entry;
      const words = entry.state.words.slice();
      words[random.below(words.length)] = random.bits();
      return { ...entry, state: { ...entry.state, words } };
    });
    const player = new LagPlayer(dragonGame, encodeLagFile({ ...report, entries }, dragonGame));
    while (!player.check(64));
    player.goTo(player.lastTick);
    assert(player.status.isComplete);
  }
  const empty = encodeLagFile({ ...report, entries: [] }, dragonGame);
  assertThrows(() => new LagPlayer(dragonGame, empty), LogError, "nothing was played");
});
