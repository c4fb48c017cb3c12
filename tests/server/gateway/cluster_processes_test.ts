/** Machines with several match processes each that share their matches. */
import { assert, assertEquals, assertGreaterOrEqual, assertMatch } from "@std/assert";
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { commandOf } from "../../support/dragons.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { Servers } from "../../../client/net/servers.ts";
import { ClusterNode, type NodeProcess } from "../../support/cluster/cluster_node.ts";
import { PATIENT, until } from "../../support/cluster/play_now.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { KEPT_SEAT_TICKS } from "../../support/kept_seat.ts";
import { NatsServers } from "../../support/nats/nats_servers.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { runServer, ServerProcess } from "../../support/servers/server_process.ts";

const HANGING = new URL("../../support/servers/hanging_server.ts", import.meta.url);
const FLAGS = [...PATIENT, "--workers", "2", "--npcs", "0"];

/** A player who fires twice in each tick, which is what the planted mistake waits for. */
function twoShots(): { next(): DragonCommand } {
  let fires = 0;
  return { next: () => commandOf({ fires: fires = (fires + 2) & 3 }) };
}

/** Two machines with two processes each that have heard each other. */
async function startMachines(...flags: string[]) {
  await using started = new AsyncDisposableStack();
  const servers = started.use(await NatsServers.start());
  const ports = servers.all.map(({ port }) => port);
  const machines: ClusterNode[] = [];
  for (let i = 0; i < 2; i++) {
    machines.push(started.use(await ClusterNode.start(ports, { flags: [...FLAGS, ...flags] })));
  }
  for (const { url } of machines) {
    const nodes = async () =>
      Number(
        /^wyvern_cluster_nodes\{worker="front"\} (\d+)$/m
          .exec(await (await fetch(`${url}/metrics`)).text())?.[1],
      );
    await until(async () => await nodes() === 4, "all processes have heard each other");
  }
  const kept = started.move();
  return {
    first: machines[0]!,
    second: machines[1]!,
    ports,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The machine and the process that a bot plays at. */
function homeOf(
  bot: ReturningBot,
  machines: readonly ClusterNode[],
): { readonly machine: ClusterNode; readonly process: NodeProcess } {
  const port = Number(bot.connections.at(-1)!.socket!.url.port);
  for (const machine of machines) {
    const process = machine.processes.findLast((each) => each.port === port);
    if (process !== undefined) return { machine, process };
  }
  throw new Error(`no process has port ${port}`);
}

natsTest(
  "serve --cluster --workers: a killed process's match goes on in another process, then a killed machine's at another machine (SPEC 17.20, 17.21)",
  async () => {
    await using world = await startMachines();
    const machines = [world.first, world.second];
    const { url } = world.first;
    const bots = [0, 1].map((seed) =>
      new ReturningBot(url, { name: `Bot ${seed}`, seed, room: "CROW", servers: new Servers(url) })
    );

    try {
      await Promise.all(bots.map((bot) => bot.untilPlayed(KEPT_SEAT_TICKS)));
      const { machine, process } = homeOf(bots[0]!, machines);
      assertEquals(machine, world.first, "a room that nobody has is the asked machine's");
      const sessions = bots.map(({ session }) => session);
      const hasMoved = (bot: ReturningBot) => bot.session !== sessions[bots.indexOf(bot)];
      const newest = bots.map(({ newestTick }) => newestTick);

      machine.signalProcess(process.worker, "SIGKILL");
      await Promise.all(bots.map((bot) => bot.until(() => hasMoved(bot) && bot.isPlaying)));
      const next = homeOf(bots[0]!, machines);
      assert(next.process.name !== process.name, "another process has it");
      assertMatch(next.machine.stdout, new RegExp(`match_taken .*room=CROW from=${process.name}`));

      // The process that is started again is another node, and takes nothing back.
      await until(() => machine.processes.length === 3, "the process is there again");
      const [, , again] = machine.processes;
      assertEquals([again!.worker, again!.port], [process.worker, process.port]);
      assert(again!.name !== process.name);

      // The whole machine of its new home
      const moved = bots.map(({ session }) => session);
      await next.machine.stop("SIGKILL");
      await Promise.all(
        bots.map((bot, i) => bot.until(() => bot.session !== moved[i] && bot.isPlaying)),
      );
      const last = homeOf(bots[0]!, machines);
      assert(last.machine !== next.machine);
      for (const [i, bot] of bots.entries()) {
        assertEquals([new Set(bot.seats).size, bot.desyncs + bot.session.stats.desyncs], [1, 0]);
        assertGreaterOrEqual(bot.newestTick, newest[i]!);
      }
      for (const { brokenLines } of machines) assertEquals(brokenLines, []);
    } finally {
      for (const bot of bots) bot.stop();
    }
  },
);

natsTest(
  "serve --cluster --workers: a gateway gives tickets for, lists and finds the rooms of all machines (SPEC 17.3, 17.109, 17.160, 17.165)",
  async () => {
    await using world = await startMachines();
    const [home, other] = [world.first, world.second];
    const bot = new ReturningBot(home.url, { name: "Wren", seed: 1, room: "CROW" });

    try {
      await bot.until(() => bot.isPlaying);
      const guest = new ReturningBot(other.url, { name: "Finch", seed: 2, room: "CROW" });
      try {
        await guest.until(() => guest.isPlaying);
        const { process } = homeOf(bot, [home]);
        assertEquals(homeOf(guest, [home, other]).process.name, process.name);
      } finally {
        guest.stop();
      }

      await until(async () => {
        const { rooms } = await (await fetch(`${other.url}/api/rooms`)).json();
        return rooms.length === 1 && rooms[0].code === "CROW";
      }, "the other machine lists the room");
      await until(async () => {
        const answer = await fetch(`${other.url}/api/play`, { method: "POST", body: "{}" });
        return (await answer.json()).room === "CROW";
      }, "Play now leads there");
      const { regions } = await (await fetch(`${other.url}/api/play`)).json();
      assertEquals(regions.length, 1);
      assert([home.url, other.url].includes(regions[0].url), "pages measure gateways");

      // Pages of either machine may ask both gateways, and open sockets at all processes.
      const page = await fetch(other.url);
      await page.body?.cancel();
      const policy = page.headers.get("content-security-policy")!;
      for (const { url, processes } of [home, other]) {
        for (const { port } of processes) {
          assertMatch(policy, new RegExp(` ws://127.0.0.1:${port}`));
        }
        if (url !== other.url) assertMatch(policy, new RegExp(` ${url}[ ;]`));
      }
    } finally {
      bot.stop();
    }
  },
);

natsTest(
  "serve --cluster --workers: a machine that stops hands the matches of all its processes over, and no round ends (SPEC 17.10, 17.110)",
  async () => {
    await using world = await startMachines();
    const machines = [world.first, world.second];
    const { url } = world.first;
    const rooms = ["ASHE", "BEAR"];
    const bots = rooms.map((room, seed) =>
      new ReturningBot(url, { name: room, seed, room, servers: new Servers(url) })
    );

    try {
      await Promise.all(bots.map((bot) => bot.untilPlayed(KEPT_SEAT_TICKS)));
      const homes = bots.map((bot) => homeOf(bot, machines).process.worker);
      assertEquals(new Set(homes), new Set([1, 2]), "each process has a room");
      const sessions = bots.map(({ session }) => session);
      const ended = world.first.stop("SIGTERM");
      await Promise.all(
        bots.map((bot, i) => bot.until(() => bot.session !== sessions[i] && bot.isPlaying)),
      );
      const output = await ended;
      for (const [i, bot] of bots.entries()) {
        assertEquals(homeOf(bot, machines).machine, world.second);
        assertEquals(new Set(bot.seats).size, 1);
        assertMatch(output, new RegExp(`match_handed_over .*room=${rooms[i]} .*answer=taken`));
      }
    } finally {
      for (const bot of bots) bot.stop();
    }
  },
);

Deno.test("serve --cluster --workers: processes need addresses that pages of other machines can open (SPEC 17.21)", async () => {
  const flags = ["--workers", "2", "--cluster", "nats://127.0.0.1:1", "--secret-file", "/dev/null"];
  const path = await runServer(...flags, "--worker-url", "/match/*");
  assertEquals(path.code, 2);
  assertMatch(path.stderr, /^wyvern: --worker-url with --cluster has to be an origin/);
});

natsTest(
  "serve --cluster --workers: a process reaches the log by its own permission, and its command line has no password (SPEC 17.4, 17.113)",
  async () => {
    const authorization = `authorization { user: wyvern, password: "of this test alone" }\n`;
    await using servers = await NatsServers.start({ count: 1, authorization });
    using data = await TemporaryData.make();
    data.write("secret", new TextEncoder().encode("a secret of this test alone, long enough"));
    const { port } = servers.all[0]!;
    await using server = await ServerProcess.start(
      ...["--workers", "2", "--data", data.folder, "--secret-file", `${data.folder}/secret`],
      ...["--cluster", `nats://wyvern:of%20this%20test%20alone@localhost:${port}`],
    );
    await server.waitForOutput(/match_processes /);
    const pids = [...server.stdout.matchAll(/worker_started worker=\d pid=(\d+)/g)];
    assertEquals(pids.length, 2);

    for (const [, pid] of pids) {
      const args = (await Deno.readTextFile(`/proc/${pid}/cmdline`)).split("\0");
      const variables = await Deno.readTextFile(`/proc/${pid}/environ`);
      assert(![...args, variables].some((each) => each.includes("this%20test")), args.join(" "));
      const net = args.find((each) => each.startsWith("--allow-net="))!;
      assertEquals(net.split(",").at(-1), `localhost:${port}`);
      assert(!args.some((each) => /^--allow-(run|all)|^-A$/.test(each)));
    }
  },
);

/** A machine's operators' port. */
function operatorsOf({ stdout }: ClusterNode) {
  const [, url, token] = /^Operators: (\S+)ops; the token is (\w+)$/m.exec(stdout)!;
  const headers = { authorization: `Bearer ${token}` };
  return {
    allMetrics: async () => await (await fetch(`${url}metrics/all`, { headers })).text(),
    view: async () => await (await fetch(`${url}api/ops/rooms`, { headers })).json(),
    act: async (name: string, values: unknown) => {
      const body = JSON.stringify(values);
      const answer = await fetch(`${url}api/ops/${name}`, { method: "POST", headers, body });
      return { status: answer.status, ...await answer.json() };
    },
  };
}

natsTest(
  "serve --cluster --workers: operators of any machine see and act on all processes of all machines, and their bans are one list (SPEC 17.9, 17.23)",
  async () => {
    await using world = await startMachines("--ops-port", "0");
    const machines = [world.first, world.second];
    const [here, there] = machines.map(operatorsOf) as [
      ReturnType<typeof operatorsOf>,
      ReturnType<typeof operatorsOf>,
    ];
    const names = ["ASHE", "BEAR"];
    const bots = names.map((room, seed) =>
      new ReturningBot(machines[seed]!.url, { name: room, seed, room })
    );
    const join = async (machine: ClusterNode, room: string) => {
      const body = JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION });
      const answer = await fetch(`${machine.url}/api/rooms/${room}/join`, { method: "POST", body });
      return (await answer.json()).code;
    };

    try {
      await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
      const { rooms } = await here.view();
      const figures = await here.allMetrics();
      for (const { url } of machines) {
        for (const worker of [1, 2]) {
          assertMatch(
            figures,
            new RegExp(`^wyvern_rooms\\{machine="${url}",worker="${worker}"`, "m"),
          );
        }
      }
      assertEquals(figures.match(/^# TYPE wyvern_rooms gauge$/gm)?.length, 1);
      assertEquals(rooms.map(({ room }: { room: string }) => room), names, "its own come first");
      const homes = bots.map((bot) => homeOf(bot, machines));
      assertEquals(
        rooms.map(({ machine, node, worker }: Record<string, unknown>) => [machine, node, worker]),
        homes.map(({ machine, process }) => [machine.url, process.name, process.worker]),
      );

      // A kick at the other machine keeps the player out of that room, wherever they ask.
      const { link } = rooms[1].clients[0];
      assertEquals((await here.act("kick", { link })).status, 400);
      assertEquals((await here.act("kick", { link, node: homes[1]!.process.name })).status, 200);
      await bots[1]!.until(() => bots[1]!.session.closeCode === CloseCode.kicked);
      for (const machine of machines) assertEquals(await join(machine, "BEAR"), CloseCode.kicked);
      const { link: watch } = await there.act("watch", { game: "dragons", room: "ASHE" });
      assertMatch(watch, new RegExp(`@http://127\\.0\\.0\\.1:${homes[0]!.process.port}$`));

      // A ban at one machine holds at the other, and at one that starts later.
      assertEquals((await there.act("ban", { address: "192.0.2.9", seconds: 600 })).status, 200);
      const isListed = async ({ view }: typeof here) =>
        (await view()).bans.some(({ addressBlock }: { addressBlock: string }) =>
          addressBlock === "192.0.2.9"
        );
      await until(() => isListed(here), "the other machine has the ban");
      await using late = await ClusterNode.start(world.ports, {
        flags: [...FLAGS, "--ops-port", "0"],
      });
      await until(() => isListed(operatorsOf(late)), "a machine that starts later has it, too");
      assertEquals((await here.act("unban", { address: "192.0.2.9" })).status, 200);
      await until(async () => !await isListed(operatorsOf(late)), "it is lifted everywhere");
    } finally {
      for (const bot of bots) bot.stop();
    }
  },
);

natsTest(
  "serve --cluster --workers: a cordoned process takes nobody more, its matches move without a round's end, and it can be opened again (SPEC 17.24)",
  async () => {
    await using world = await startMachines("--ops-port", "0");
    const machines = [world.first, world.second];
    const operators = operatorsOf(world.first);
    const { url } = world.first;
    const bot = new ReturningBot(url, { name: "Wren", seed: 1, room: "CROW" });
    const reasons = async () => {
      const { nodes } = await operators.view();
      return nodes.map(({ reason }: { reason: string }) => reason);
    };

    try {
      await bot.untilPlayed(KEPT_SEAT_TICKS);
      const { machine, process } = homeOf(bot, machines);
      assertEquals(machine, world.first);
      assertEquals((await operators.act("cordon", {})).status, 400, "nobody means all by mistake");
      const node = process.name;
      const { status, done } = await operators.act("cordon", { node });
      assertEquals([status, done], [200, "cordoned: 1 nodes"]);
      await until(
        async () => (await reasons()).includes("cordoned"),
        "all know that it is cordoned",
      );

      // Its match goes on, and new rooms go to the other process of the machine.
      const { session, newestTick } = bot;
      for (const [i, room] of ["DOVE", "EMUS", "FAWN"].entries()) {
        const guest = new ReturningBot(url, { name: room, seed: 2 + i, room });
        await guest.until(() => guest.isPlaying);
        const home = homeOf(guest, machines);
        assert(home.machine === world.first && home.process.name !== node, room);
        guest.stop();
      }
      await bot.until(() => bot.newestTick > newestTick);
      assertEquals(bot.session, session);

      // Handed over: the same seat elsewhere, and the process is empty but there.
      const moved = await operators.act("handover", { node });
      assertEquals([moved.status, moved.done], [200, "handed over: 1 nodes; 1 matches have moved"]);
      await bot.until(() => bot.session !== session && bot.isPlaying);
      assert(homeOf(bot, machines).process.name !== node);
      assertEquals(new Set(bot.seats).size, 1);

      // With all of them cordoned a match that nobody takes goes on where it is.
      const home = homeOf(bot, machines);
      assertEquals((await operators.act("cordon", { all: "yes" })).done, "cordoned: 4 nodes");
      await until(
        async () => (await reasons()).every((each: string) => each === "cordoned"),
        "all are",
      );
      const kept = await operators.act("handover", { node: home.process.name });
      assertEquals(kept.done, "handed over: 1 nodes; 0 matches have moved");
      const { newestTick: then, session: last } = bot;
      await bot.until(() => bot.newestTick > then + 20);
      assertEquals(bot.session, last);
      const refused = await fetch(`${url}/api/rooms/GULL/join`, {
        method: "POST",
        body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION }),
      });
      assertEquals([refused.status, (await refused.json()).code], [503, CloseCode.busy]);

      const machineUrl = world.first.url;
      const opened = await operators.act("uncordon", { machine: machineUrl });
      assertEquals(opened.done, "opened again: 2 nodes");
      await until(
        async () => (await reasons()).filter((each: string) => each === "").length === 2,
        "",
      );
    } finally {
      bot.stop();
    }
  },
);

natsTest(
  "serve --scale-hook: the example is asked for a machine when seats are scarce, starts it, and stops it again (SPEC 17.25)",
  async () => {
    await using servers = await NatsServers.start({ count: 1 });
    using data = await TemporaryData.make();
    const folder = `${data.folder}/scale`;
    const secret = "a secret of this test alone, long enough";
    const hook = new URL("../../../docs/deploy/scale_local.sh", import.meta.url).pathname;
    const env = {
      WYVERN_SECRET: secret,
      WYVERN_DATA: `${data.folder}/own`,
      WYVERN_CLUSTER: servers.all[0]!.url,
      WYVERN_TICK_LOAD: "100",
      SCALE_FOLDER: folder,
      SCALE_COMMAND: `${Deno.execPath()} run -A --no-check server/main.ts`,
      SCALE_FIRST_PORT: String(20_000 + Math.floor(Math.random() * 20_000)),
    };
    const flags = ["--workers", "2", "--scale-hook", hook];
    const started: number[] = [];

    try {
      // Two idle processes have fewer seats than that, so a second machine is asked for.
      await using server = await ServerProcess.startWith(
        env,
        ...flags,
        "--scale-seats",
        "2000-9000",
      );
      assert(await server.waitForOutput(/scale_asked what=start region=default .*code=0/));
      const [file] = [...Deno.readDirSync(folder)].filter(({ name }) => /^\d+$/.test(name));
      const port = file!.name;
      started.push(Number(Deno.readTextFileSync(`${folder}/${port}`)));
      const machine = `http://127.0.0.1:${port}`;
      const isUp = async () => {
        const answer = await fetch(`${machine}/readyz`).catch(() => undefined);
        await answer?.body?.cancel();
        return answer?.ok === true;
      };
      await until(isUp, "the machine that was started takes players");
      const figures = await (await fetch(`${machine}/metrics`)).text();
      assertMatch(figures, /^wyvern_cluster_free_seats\{worker="front",region="default"\} \d+$/m);

      // And it goes when the hook is asked to drain it.
      const drained = await new Deno.Command(hook, {
        args: ["drain", "default", "9999", machine],
        env,
      }).output();
      assertEquals(drained.code, 0);
      await until(async () => !await isUp(), "it stops");
      const log = () => Deno.readTextFileSync(`${folder}/log-${port}`);
      await until(() => /worker_stopped worker=1 [^]*/.test(log()), "its processes have stopped");
    } finally {
      for (const pid of started) {
        try {
          Deno.kill(pid, "SIGKILL");
        } catch {
          // It was drained.
        }
      }
    }
  },
);

natsTest(
  "serve --cluster --workers: a process that hangs is ended, and its matches go on elsewhere, the one at fault with one failure (SPEC 17.14, 17.20)",
  async () => {
    await using servers = await NatsServers.start({ count: 1 });
    using data = await TemporaryData.make();
    const env = {
      WYVERN_SECRET: "a secret of this test alone, long enough",
      WYVERN_DATA: data.folder,
      WYVERN_CLUSTER: servers.all[0]!.url,
      WYVERN_TICK_LOAD: "100",
    };
    await using server = await ServerProcess.startScriptWith(
      ...[env, HANGING, "loop", "--workers", "2", "--npcs", "0"] as const,
    );
    const { origin } = new URL(server.url);
    const joining = (room: string) => () =>
      openNodeWebSocketLink(
        joinedSocketUrl(origin, { gameId: dragonGame.id, room, name: room, spectate: false }),
      );
    const villain = new HonestBot(server.url, {
      name: "Loop",
      seed: 9,
      room: "HANG",
      controls: twoShots(),
      open: joining("HANG"),
    });

    try {
      const [, worker] = (await server.waitForOutput(/tick_hangs worker=(\d) .*room=HANG /))!;
      const other = 3 - Number(worker);
      await server.waitForOutput(new RegExp(`match_taken worker=${other} .*room=HANG `));
      await server.waitForOutput(
        new RegExp(`worker_lost worker=${worker} [^]*match_process_ready worker=${worker} `),
      );
      assert(!/match_set_aside/.test(server.stdout), "one failure sets no match aside");
    } finally {
      villain.stop();
    }
  },
);
