import type {
  Dragon,
  DragonCommand,
  DragonSimulation,
} from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ContractReports } from "../../../client/debug/contract_reports.ts";
import { DeveloperApi } from "../../../server/dev/developer_api.ts";
import type { Game } from "../../../shared/netcode/game.ts";
import { networkModelOf } from "../../../shared/netcode/simulated_network/network_profiles.ts";
import { Match } from "../../../server/match/match.ts";
import { Lab } from "../../tools/lab/lab.ts";
import { RandomDragonControls } from "../../tools/lab/random_controls.ts";

const SEED = 20_261_123;
const WRONG_TICK = 60;

type DragonGame = Game<DragonCommand, DragonSimulation>;

/** The game with an action after each step. */
function dragonsWith(afterStep: (simulation: DragonSimulation) => void): DragonGame {
  return {
    ...dragonGame,
    start(options, seed) {
      const simulation = dragonGame.start(options, seed);
      const step = simulation.step.bind(simulation);
      simulation.step = (commands) => {
        step(commands);
        afterStep(simulation);
      };
      return simulation;
    },
  };
}

/** A match on the server's game, and one page that plays another. */
function playWatched({ server = dragonGame, page = server, seconds = 8 }: {
  server?: DragonGame;
  page?: DragonGame;
  seconds?: number;
}) {
  const lab = new Lab({ game: server, seed: SEED, npcs: 2, checkTwin: true });
  const player = lab.join("Wren", {
    network: networkModelOf("wifi"),
    game: page,
    commandSource: new RandomDragonControls(SEED),
  });
  const api = new DeveloperApi({
    watchOf: (_, room) => lab.rooms.matchOf(room)?.watch,
    log: (event, fields = {}) => void lab.log.push({ event, fields, atMs: lab.nowMs }),
    now: () => lab.nowMs,
  });
  const shown: string[] = [];
  const requests: string[] = [];
  const reports = new ContractReports({
    match: () => ({ room: "LABS", session: player.session }),
    // As over HTTP, but without its time.
    get: (path) => {
      requests.push(path);
      const answer = api.answer(`/${path}`);
      return Promise.resolve(answer && JSON.parse(JSON.stringify(answer)));
    },
    show: (text) => shown.push(text),
    now: () => lab.nowMs,
  });
  const logged = (event: string) =>
    lab.log.filter((entry) => entry.event === event).map(({ fields }) => fields);
  return { lab, player, api, reports, shown, requests, logged, run: () => lab.run(seconds) };
}

Deno.test("ContractWatch: a game that keeps the contract has nothing in the log and nothing on the page (SPEC 1.20)", async () => {
  const { lab, run, reports, shown, logged } = playWatched({});
  await reports.advance();
  run();
  await reports.advance();
  assertEquals([logged("contract_broken"), shown], [[], []]);
  assertEquals(lab.match?.watch?.faults, []);
});

Deno.test("ContractWatch: without the option a match has no twin, keeps no states, and pages get no answer (SPEC 1.20)", () => {
  const lab = new Lab({ game: dragonGame, seed: SEED, npcs: 0 });
  lab.join("Wren", {
    network: networkModelOf("wifi"),
    commandSource: new RandomDragonControls(SEED),
  });
  lab.run(1);
  assertEquals(lab.match?.watch, undefined);
});

Deno.test("ContractWatch: a fault is logged within a second, once for each field, and shown on the page (SPEC 1.20)", async () => {
  let calls = 0;
  const server = dragonsWith(({ world, tick }) => {
    const dragons = world.all("dragon") as readonly Dragon[];
    if (tick >= WRONG_TICK) dragons.forEach(({ fields }) => fields.score = ++calls & 255);
  });
  const { reports, shown, logged, run } = playWatched({ server, page: dragonGame });
  await reports.advance();
  run();
  await reports.advance();
  const [first, ...more] = logged("contract_broken");
  assertEquals(more, []);
  assert(Number(first!.tick) <= WRONG_TICK + 20, `tick ${first!.tick}`);
  assertMatch(String(first!.field), /^entity \d+ dragon\.score$/);
  assertStringIncludes(shown.join("\n"), `tick ${first!.tick}: ${first!.text}`);
});

Deno.test("ContractWatch: the twin has the room's options, seed and NPCs (SPEC 1.20)", () => {
  const game: DragonGame = {
    ...dragonGame,
    choices: [3],
    start(options, seed) {
      const simulation = dragonGame.start(options, seed);
      const step = simulation.step.bind(simulation);
      simulation.step = (commands) => {
        step(commands);
        for (const { fields } of simulation.world.all("dragon") as readonly Dragon[]) {
          fields.score = seed % 100 + options.npcs + (options.choices?.[0] ?? 0);
        }
      };
      return simulation;
    },
  };
  const faults: unknown[] = [];
  const clock = { now: () => 0 };
  const calls = { clock, newToken: () => "0", nameForms: (name: string) => [name] };
  const options = { npcs: 3, seed: 77, choices: [2], stream: "commands" as const, ...calls };
  const match = new Match<DragonCommand>(game, {
    ...options,
    onFault: (fault) => faults.push(fault),
  });
  for (let tick = 1; tick <= 20; tick++) match.run(tick * 50);
  assertEquals(faults, []);
});

Deno.test("ContractReports: a desync makes page and server compare S(tick) once, and both name field and values (SPEC 4.16)", async () => {
  const page = dragonsWith(({ world, tick }) => {
    const dragons = world.all("dragon") as readonly Dragon[];
    if (tick === WRONG_TICK && dragons.length > 0) dragons[0]!.fields.charges = 1;
  });
  const { player, reports, shown, requests, logged, run } = playWatched({
    page,
    server: dragonGame,
  });
  await reports.advance();
  run();
  await Promise.resolve().then(() => reports.advance());
  assertEquals(player.session.stats.desyncs, 1);
  assertEquals(shown.length, 1);
  assertMatch(
    shown[0]!,
    /^tick 60: entity \d+ dragon\.charges is \d+ on the server, but 1 on this page$/,
  );
  const [desync, ...more] = logged("desync");
  assertEquals([desync?.room, desync?.tick, desync?.page, more], ["LABS", WRONG_TICK, "1", []]);
  assertEquals(requests.filter((path) => path.includes("/states/")).length, 1);
});

Deno.test("DeveloperApi: odd paths, unknown rooms and old ticks have no answer, and a page's words are bounded (SPEC 4.16)", () => {
  const { lab, api, run, logged } = playWatched({ seconds: 3 });
  run();
  const { tick } = lab.match!;

  for (
    const path of [
      "",
      "/metrics",
      "/dev/LABS",
      "/dev/NONE/faults",
      "/dev/labs/faults",
      "/dev/LABS/faults/",
      `/dev/LABS/states/${tick + 1}`,
      "/dev/LABS/states/-1",
      "/dev/LABS/states/1e3",
      "/dev/LABS/states/9999999999",
      `/dev/LABS/differences/${tick}`,
      `/dev/LABS/differences/${tick}/`,
      `/dev/LABS/differences/${tick}/1`,
      `/dev/LABS/differences/${tick}/1:x`,
      `/dev/LABS/differences/${tick}/${"1:2,".repeat(9)}`,
      `/dev/LABS/differences/${tick + 500}/1:2`,
    ]
  ) assertEquals(api.answer(path), undefined, path);

  assertEquals(
    api.answer(`/dev/LABS/differences/${tick}/999999:-`),
    {
      text:
        `tick ${tick}: a word after the end of the state is missing on the server, but missing on this page`,
    },
  );
  const before = logged("desync").length;
  for (let i = 0; i < 100; i++) {
    api.answer(`/dev/LABS/differences/${tick}/9:4294967295,10:9999999999`);
  }
  assert(logged("desync").length - before < 25, "a page may not fill the log");
});
