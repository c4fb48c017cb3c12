import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runServer, ServerProcess } from "../support/server_process.ts";

const WRONG = [["--port", "80x"], ["--npcs", "17"], ["--seed", "-1"], ["--stream", "poses"], ["--host"], [
  "--prot",
  "1",
], ["8"]];

Deno.test("main: a wrong flag is one line on stderr and exit code 2", async () => {
  await Promise.all(WRONG.map(async (args) => {
    const { code, stdout, stderr } = await runServer(...args);
    assertEquals([code, stdout], [2, ""], args.join(" "));
    assertMatch(stderr, /^wyvern: .*\n$/);
    assertStringIncludes(stderr, args[0]!);
  }));
});

Deno.test("main: --help is the usage and exit code 0", async () => {
  const { code, stdout, stderr } = await runServer("--help");
  assertEquals([code, stderr], [0, ""]);
  for (const flag of ["--host", "--port", "--npcs", "--seed", "--stream"]) assertStringIncludes(stdout, flag);
});

Deno.test("main: a taken port and a foreign host are one line on stderr and exit code 2", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const port = String((taken.addr as Deno.NetAddr).port);
  const onPort = await runServer("--port", port);
  assertEquals([onPort.code, onPort.stdout], [2, ""]);
  assertMatch(onPort.stderr, new RegExp(`^wyvern: --port ${port} is in use .*\n$`));
  const onHost = await runServer("--port", "0", "--host", "203.0.113.1");
  assertEquals([onHost.code, onHost.stdout], [2, ""]);
  assertMatch(onHost.stderr, /^wyvern: --host 203\.0\.113\.1 cannot be listened on: .*\n$/);
});

Deno.test("main: it says where it listens and with which seed, serves the page and its health, and ticks", async () => {
  await using server = await ServerProcess.start("--seed", "123");
  const ready = `Wyvern listens on ${server.url} (room codes are four letters; seed 123)\n`;
  assertEquals(server.stdout, ready);
  const page = await fetch(server.url);
  const [, script] = (await page.text()).match(/src="(main-[0-9A-Z]{8}\.js)"/)!;
  const answer = await fetch(`${server.url}${script}`);
  assertEquals([answer.status, answer.headers.get("content-type")], [200, "text/javascript; charset=utf-8"]);
  await answer.body?.cancel();
  let health = { ticks: 0 };
  while (health.ticks < 3) health = await (await fetch(`${server.url}healthz`)).json();
  assertEquals(Object.keys(health), ["ok", "rooms", "clients", "ticks", "uptimeSeconds"]);
  assert("ok" in health && health.ok);
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
    assert(stdout.endsWith(`stopping signal=${signal}\n`), stdout);
    assertEquals(await closed, 1001);
    Deno.listen({ hostname: "127.0.0.1", port: server.port }).close();
  });
}
