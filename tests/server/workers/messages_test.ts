/** The pipes between processes: their messages, and who may write to them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { linesOf } from "../../../server/workers/lines.ts";
import { MODULE_FOLDERS } from "../../../server/supervision/child_command.ts";
import { fromWorker, toWorker } from "../../../server/workers/messages.ts";
import { WorkerServer } from "../../support/servers/worker_server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("linesOf: lines come whole however they are cut, and a long one ends the reading (SPEC 17.12)", async () => {
  const read = (parts: string[], bytesMax = 8) =>
    Array.fromAsync(linesOf(ReadableStream.from(parts.map(bytes)), bytesMax));
  assertEquals(await read(["ab", "c\nd", "e\n\nf", "g\nrest"]), ["abc", "de", "", "fg"]);
  assertEquals(await read(["12345678\n"]), ["12345678"]);
  await assertRejects(() => read(["1234", "56789\n"]), RangeError);
  await assertRejects(() => read(["123456789"]), RangeError);
});

Deno.test("messages: a line that is no message is none, and unknown fields do not pass (SPEC 17.12)", () => {
  for (
    const line of [
      "",
      "{",
      "1",
      "null",
      '{"type":"stop2"}',
      '{"type":"answer","id":-1}',
      '{"type":"ask","id":1}',
    ]
  ) {
    assertEquals([line, fromWorker(line), toWorker(line)], [line, undefined, undefined]);
  }

  assertEquals(toWorker('{"type":"stop","more":1}'), { type: "stop" });
  const round = {
    match: { id: "x", room: "crow", game: "dragons" },
    round: { round: 1, tick: 1, scores: [] },
  };
  assertEquals(
    fromWorker(JSON.stringify({ type: "round", ...round })),
    undefined,
    "no room's code",
  );
  const ban = { type: "ban", ban: { addressBlock: "1".repeat(65), seconds: 1 } };
  assertEquals(toWorker(JSON.stringify(ban)), undefined, "no address");
});

Deno.test({
  name:
    "serve --workers: nobody else writes to a match process, and no secret is in its arguments (SPEC 17.4, 17.12)",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  async fn() {
    await using workers = await WorkerServer.start("--ops-port", "0");
    const bot = await workers.play("CROW");
    const { server } = workers;

    try {
      const pid = workers.pidOf(await workers.workerOf("CROW"));
      const pipe = `/proc/${pid}/fd/0`;
      const write = (text: string, uid: number) =>
        new Deno.Command("sh", {
          args: ["-c", 'printf "%s\\n" "$1" > "$0"', pipe, text],
          // The user may not enter the project's folder.
          cwd: "/",
          uid,
          gid: uid,
          stderr: "null",
        })
          .output();
      // Another user of this machine.
      assert(!(await write('{"type":"stop"}', 65_534)).success);
      // This user, who can end the process anyway: what is no message does nothing.
      assert((await write('{"type":"stop', 0)).success);
      assert(await server.waitForOutput(/message_refused worker=/));
      await bot.assertUndisturbed();
      const args = await Deno.readTextFile(`/proc/${pid}/cmdline`);
      const variables = await Deno.readTextFile(`/proc/${pid}/environ`);
      const permissions = args.split("\0").filter((arg) => arg.startsWith("--allow-"));
      assertEquals(permissions.map((arg) => arg.split("=")[0]), [
        "--allow-net",
        "--allow-env",
        "--allow-read",
      ]);
      assertEquals(
        permissions[2],
        `--allow-read=${MODULE_FOLDERS}`,
        "its own program, which its threads load",
      );
      assert(!/secret|token/i.test(args), args);
      assertEquals(
        variables.split("\0").filter((each) => /^WYVERN_(SECRET|OPS_TOKEN)=./.test(each)),
        [],
      );
    } finally {
      bot.stop();
    }
  },
});
