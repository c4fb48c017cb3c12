import { assert, assertEquals, assertGreater, assertGreaterOrEqual, assertLess } from "@std/assert";
import { type ProcessResult, runTask } from "../../../support/task.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";

const KEYS = [
  "clients",
  "seconds",
  "ticks",
  "commandsSent",
  "commandsLate",
  "rollbacks",
  "resimulatedTicks",
  "contacts",
  "desyncs",
  "ownCorrectionsOver5cm",
  "npcForeknownShare",
  "downBytesPerSecond",
  "upBytesPerSecond",
  "leadMsMean",
  "queueWaitMsMean",
  "returns",
  "errors",
];

function reportOf({ stdout }: ProcessResult): Record<string, number> {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1)!);
}

Deno.test("bots: play on a real server over real sockets, in sync, and print their report (SPEC 4.1)", async () => {
  await using server = await ServerProcess.start("--seed", "3");
  const url = server.url.replace("http", "ws");
  const ended = await runTask(
    "bots",
    "--url",
    url,
    "--clients",
    "4",
    "--seconds",
    "4",
    "--latency-ms",
    "80",
    "--jitter-ms",
    "5",
    "--json",
  );
  assertEquals(ended.code, 0, ended.stderr);
  const report = reportOf(ended);
  assertEquals(Object.keys(report), KEYS);
  assertEquals([report.clients, report.seconds, report.desyncs, report.returns, report.errors], [
    4,
    4,
    0,
    0,
    0,
  ]);

  // A machine that is busy with other tests may drop ticks. A bot without a connection would have
  // none.
  assertGreater(report.ticks!, 40);
  assertGreater(report.commandsSent!, 4 * 40);
  assertLess(report.commandsLate!, report.commandsSent! / 2);
  assertGreater(report.rollbacks!, 0);
  assertGreaterOrEqual(report.resimulatedTicks!, report.rollbacks!);
  assertGreater(report.contacts!, 0);

  // The lab has more than 0.99 (`dragon_row_lab_test.ts`), but there no tick is dropped.
  assertGreater(report.npcForeknownShare!, 0.5);
  assert(ended.stderr.includes("4/4 s"), "progress while it runs");

  // All of them closed their sessions, so the server reserves no seat.
  assert(
    (await (await fetch(`${server.url}metrics`)).text()).includes(
      'closes_total{by="peer",code="1000",transport="websocket"} 4',
    ),
  );
});

Deno.test("bots: without a server, one clear line and exit code 1", async () => {
  const { code, stderr, stdout } = await runTask(
    "bots",
    "--url",
    "ws://127.0.0.1:9",
    "--clients",
    "2",
    "--seconds",
    "1",
  );
  assertEquals(code, 1);
  assert(/bots: cannot join ws:\/\/\S+: closed: 1006/.test(stderr), stderr);
  assertEquals(stdout, "");
});

for (
  const [args, named] of [
    [["--clients", "0"], "--clients"],
    [["--room", "abcd"], "--room"],
    [["--url", "http://127.0.0.1"], "--url"],
    [["--latency", "5"], "--latency-ms"],
    [["--json=yes"], "--json"],
  ] as const
) {
  Deno.test(`bots: ${args.join(" ")} is refused in one line, exit code 2`, async () => {
    const { code, stderr } = await runTask("bots", ...args);
    assertEquals(code, 2);
    const lines = stderr.trimEnd().split("\n");
    assertEquals(lines.length, 1);
    assert(lines[0]!.includes(named), lines[0]);
  });
}
