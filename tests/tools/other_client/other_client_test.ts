/**
 * The other client plays a few seconds, and the harness reports faults of its program and its user.
 */
import { assert, assertEquals, assertGreater, assertMatch } from "@std/assert";
import { runTask } from "../../support/task.ts";
import { type ClientOptions, isInstalled, runClient } from "./client_process.ts";
import type { Row } from "./compare.ts";

const CLIENT = new URL("client.py", import.meta.url).pathname;
const canPlay = await isInstalled("python3") && await isInstalled(CLIENT);

Deno.test({
  name:
    "other-client: a client in another language decodes every body and plays in time (SPEC 12.1, 12.6, 12.19)",
  ignore: !canPlay,
  async fn() {
    const flags = ["--seconds", "6", "--rtt", "0", "--stream", "state", "--json"];
    const { stdout, stderr } = await runTask("prove", "other-client", ...flags);
    const lastLine = stdout.trim().split("\n").at(-1)!;
    assertMatch(lastLine, /^\{/, stderr);
    const { rows, seconds } = JSON.parse(lastLine) as {
      rows: Row[];
      seconds: number;
    };
    assertEquals([rows.length, seconds], [1, 6], stderr);
    const { failures, takenShare, ticks, checksums } = rows[0]!;
    // A busy machine makes some commands late. A client whose clock is wrong has hardly any in
    // time.
    assertEquals(failures.filter((fault) => !fault.startsWith("takenShare")), []);
    assertGreater(takenShare, 0.5);
    assertGreater(ticks, 60);
    assertGreater(checksums, 2);
  },
});

Deno.test({
  name:
    "other-client: a client in another language agrees with every vector (SPEC 10.1, 10.2, 10.3, 10.4)",
  ignore: !canPlay,
  async fn() {
    const args = ["check_vectors.py", "../../vectors"];
    const cwd = new URL(".", import.meta.url);
    const { code, stdout } = await new Deno.Command("python3", { args, cwd }).output();
    const lines = new TextDecoder().decode(stdout).trim().split("\n");
    assertEquals(lines.filter((line) => !line.endsWith(", 0 differ")), []);
    assertEquals([lines.length, code], [7, 0]);
  },
});

Deno.test("other-client: a wrong flag, or a program that is absent, gets one line, and the exit code is 2", async () => {
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ["--rtt", "0,fast", /^prove other-client: --rtt cannot be "0,fast"; allowed: [^\n]*\n$/],
    ["--stream", "both", /^prove other-client: --stream cannot be "both"; allowed: [^\n]*\n$/],
    ["--seconds", "1", /^prove other-client: --seconds cannot be "1"; allowed: [^\n]*\n$/],
    [
      "--client",
      "no-such-program --fast",
      /^prove other-client: there is no program "no-such-program" here[^\n]*\n$/,
    ],
  ];
  for (const [flag, value, line] of wrong) {
    const { code, stderr } = await runTask("prove", "other-client", flag, value);
    assertEquals(code, 2);
    assertMatch(stderr, line);
  }
});

/**
 * Runs a program that writes a log and ends.
 * @param script in JavaScript; `log` is the log's path
 */
function runScript(script: string) {
  const options: ClientOptions = {
    url: "http://127.0.0.1:1",
    game: "dragons-10",
    room: "PEER",
    name: "other",
    seconds: 1,
    seed: 7,
  };
  const prelude = `const log = Deno.args[Deno.args.indexOf("--log") + 1];`;
  return runClient([Deno.execPath(), "eval", prelude + script], options);
}

Deno.test("runClient: gives the program the contract's flags, and reads its log", async () => {
  const welcome =
    `JSON.stringify({ type: "welcome", seat: Number(Deno.args[Deno.args.indexOf("--seed") + 1]) })`;
  const { log, failures } = await runScript(`Deno.writeTextFileSync(log, ${welcome})`);
  assertEquals([log.seat, failures], [7, []]);
});

Deno.test("runClient: reports the exit code with the program's words, and a log that is none", async () => {
  const failed = await runScript(`console.error("at line 3\\nno such room"); Deno.exit(1)`);
  assertEquals(failed.failures, [`the client's exit code is 1: "no such room"`]);
  assert(failed.log.end === undefined);
  const wrong = await runScript(`Deno.writeTextFileSync(log, "welcome")`);
  assertEquals(wrong.failures, [`line 1 of the log: "welcome" is no JSON`]);
});
