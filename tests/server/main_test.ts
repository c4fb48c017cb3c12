import {
  assert,
  assertEquals,
  assertGreater,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { parseSettings } from "../../server/settings/settings.ts";
import { runServer, ServerProcess } from "../support/servers/server_process.ts";
import { copyProject } from "../support/project_copy.ts";
import { runTaskIn, spawnTask, textOf } from "../support/task.ts";

// deno-fmt-ignore
const WRONG = [
  ["--port", "80x"], ["--npcs", "17"], ["--seed", "-1"], ["--stream", "poses"], ["--games", "chess"],
  ["--host"], ["--prot", "1"], ["8"],
];

const ALL_SETTINGS = Object.keys(parseSettings([], ["dragons"])).length;

Deno.test("main: a wrong flag is one line on stderr and exit code 2", async () => {
  await Promise.all(WRONG.map(async (args) => {
    const { code, stdout, stderr } = await runServer(...args);
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertMatch(stderr, /^wyvern: .*\n$/);
    assertStringIncludes(stderr, args[0]!);
  }));
});

Deno.test("main: --help is ten settings, --help all is every one, and both are exit code 0 (SPEC 14.1)", async () => {
  for (const [args, count] of [[["--help"], 10], [["--help", "all"], ALL_SETTINGS]] as const) {
    const { code, stdout, stderr } = await runServer(...args);
    assertEquals([code, stderr], [0, ""]);
    const flags = [...stdout.matchAll(/^ {2}--(?!help)[\w-]+ /gm)];
    assertEquals(flags.length, count, stdout);
    assertStringIncludes(stdout, "--help all");
  }
});

Deno.test("main: a taken port and a foreign host are one line on stderr and exit code 2", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = String((taken.addr as Deno.NetAddr).port);
  const onPort = await runServer("--port", port);
  assertEquals([onPort.code, onPort.stdout], [2, ""]);
  assertMatch(onPort.stderr, new RegExp(`^wyvern: --port ${port} is in use .*\n$`));
  const onHost = await runServer("--port", "0", "--host", "127.0.0.300");
  assertEquals([onHost.code, onHost.stdout], [2, ""]);
  assertMatch(onHost.stderr, /^wyvern: --host 127\.0\.0\.300 cannot be listened on: .*\n$/);
});

Deno.test("main: a page that was never built is one line and exit code 2; --build builds those of the hosted games alone; one that does not build is exit code 1", async () => {
  const folder = await copyProject();
  try {
    const unbuilt = await runTaskIn(folder, "serve");
    assertEquals([unbuilt.code, unbuilt.stdout], [2, ""]);
    assertEquals(
      unbuilt.stderr,
      "wyvern: the page of dragons is not built; `deno task build` makes it\n",
    );

    using port = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const flags = [
      "--build",
      "--games",
      "haul",
      "--port",
      String((port.addr as Deno.NetAddr).port),
    ];
    const built = await runTaskIn(folder, "serve", flags);
    assertEquals([built.code, built.stdout], [2, "Built the pages of haul\n"], built.stderr);
    const pages = await Array.fromAsync(Deno.readDir(`${folder}/client/dist`), ({ name }) => name);
    assertEquals(pages.sort(), ["_same_bits", "haul"]);

    const view = `${folder}/client/games/haul/view.ts`;
    await Deno.writeTextFile(view, `${await Deno.readTextFile(view)}}`);
    const broken = await runTaskIn(folder, "serve", flags);
    assertEquals([broken.code, broken.stdout], [1, ""]);
    assertStringIncludes(broken.stderr, "client/games/haul/view.ts");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("main: the server prints its address, seed and settings (SPEC 14.2), serves the page and its health, and ticks", async () => {
  await using server = await ServerProcess.start("--seed", "123");
  const ready = `Wyvern listens on ${server.url} (room codes are four letters; seed 123)\n`;
  const settings =
    (await server.waitForOutput(/^20\d\d-\d\d-\d\dT[\d:.]+Z info settings .*\n/m))![0];
  assertEquals(server.stdout, ready + settings);
  for (const setting of ["seed=123", "rooms=200", "upgrades-per-address=100/40", 'origin=""']) {
    assertStringIncludes(settings, setting);
  }
  const page = await fetch(server.url);
  const [, script] = (await page.text()).match(/src="(main-[0-9A-Z]{8}\.js)"/)!;
  const answer = await fetch(`${server.url}${script}`);
  assertEquals([answer.status, answer.headers.get("content-type")], [
    200,
    "text/javascript; charset=utf-8",
  ]);
  await answer.body?.cancel();
  let health = { ticks: 0 };
  while (health.ticks < 3) health = await (await fetch(`${server.url}healthz`)).json();
  assertEquals(Object.keys(health), [
    "ok",
    "tickShare",
    "accepts",
    "rooms",
    "clients",
    "ticks",
    "uptimeSeconds",
  ]);
  assert("ok" in health && health.ok);
});

const metricsOf = async ({ url }: ServerProcess) => await (await fetch(`${url}metrics`)).text();
const valueOf = (text: string, name: string) =>
  Number(text.match(new RegExp(`^${name} (\\S+)$`, "m"))![1]);

Deno.test("main: /metrics counts its ticks and how long they take", async () => {
  await using server = await ServerProcess.start();
  let text = await metricsOf(server);
  // On any machine one tick of five seconds is in time. If the metric had the clock's time, none
  // would be.
  const inTime = () => valueOf(text, 'wyvern_tick_lateness_seconds_bucket{le="0.05"}');
  const ticks = () => valueOf(text, "wyvern_ticks_total");
  while (ticks() < 3 || (inTime() === 0 && ticks() < 100)) text = await metricsOf(server);
  assertGreater(inTime(), 0);
  assertEquals(valueOf(text, "wyvern_tick_duration_seconds_count"), ticks());
  assertGreater(valueOf(text, "wyvern_tick_lateness_seconds_sum"), 0);
  assertGreater(valueOf(text, "wyvern_tick_duration_seconds_sum"), 0);
  for (const name of ["rooms", "clients", 'sockets{transport="websocket"}']) {
    assertEquals(valueOf(text, `wyvern_${name}`), 0);
  }
});

Deno.test("main: --log-json writes every event as one JSON object on a line", async () => {
  const child = await spawnTask("serve", "--port", "0", "--seed", "7", "--log-json");
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).values();
  let rest = "";
  while (!rest.includes("\n")) rest += (await lines.next()).value;
  const first = JSON.parse(rest.slice(0, rest.indexOf("\n")));
  rest = rest.slice(rest.indexOf("\n") + 1);
  assertEquals(first, {
    event: "listening",
    time: first.time,
    level: "info",
    url: first.url,
    seed: 7,
  });
  assertEquals(new Date(first.time).toISOString(), first.time);
  const socket = new WebSocket(`${first.url.replace("http", "ws")}socket`);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  await new Promise<unknown>((resolve) => socket.onopen = socket.onerror = resolve);
  socket.send("text");
  await closed;

  // The server logs the end a little after the peer has received it.
  while (!rest.includes("link_closed")) rest += (await lines.next()).value;
  child.kill("SIGTERM");
  for (let next = await lines.next(); !next.done; next = await lines.next()) rest += next.value;
  const events = rest.trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(events.map(({ event }) => event), [
    "settings",
    "link_opened",
    "link_closed",
    "stopping",
    "drained",
  ]);
  const { event, link, address, code, by, reason } = events[2];
  assertEquals([event, link, address], ["link_closed", 1, "127.0.0.1"]);
  assertEquals([code, by, reason], [1003, "server", "binary messages only"]);
  assertEquals([(await child.status).code, await textOf(child.stderr)], [0, ""]);
});

Deno.test("main: without --seed each server draws its own", async () => {
  const seeds = await Promise.all([1, 2].map(async () => {
    await using server = await ServerProcess.start();
    return server.stdout.match(/; seed (\d+)\)/)![1];
  }));
  assert(seeds[0] !== seeds[1], `${seeds}`);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`main: ${signal} closes every socket with 1001, frees the port and ends with code 0`, async () => {
    await using server = await ServerProcess.start();
    const socket = new WebSocket(`${server.url.replace("http", "ws")}socket`);
    await new Promise<unknown>((resolve) => socket.onopen = socket.onerror = resolve);
    const closed = new Promise<number>((resolve) => socket.onclose = ({ code }) => resolve(code));
    const { code, stdout, stderr } = await server.stop(signal);
    assertEquals([code, stderr], [0, ""]);
    const lines = stdout.trimEnd().split("\n").slice(2);
    const withoutTimes = lines.map((line) =>
      line.slice(line.indexOf(" ") + 1).replace(/ seconds=[0-9.]+/, "")
    );
    assertEquals(withoutTimes, [
      "info link_opened link=1 address=127.0.0.1 transport=websocket unlogged=0",
      `info stopping signal=${signal} graceSeconds=0 matches=0`,
      'info drained why="nobody is connected" kept=0 lost=0 cut=0',
      'info link_closed link=1 address=127.0.0.1 transport=websocket code=1001 by=server reason="the server stops"',
    ]);
    assertEquals(await closed, 1001);
    Deno.listen({ hostname: "127.0.0.1", port: server.port }).close();
  });
}
