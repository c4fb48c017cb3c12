/** The pipes between processes: their messages, and who may write to them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { linesOf } from "../../../server/ground/lines.ts";
import { MODULE_FOLDERS } from "../../../server/supervision/child_command.ts";
import { LINE_BYTES_MAX, PipeBus } from "../../../server/bus/pipe_bus.ts";
import {
  answerGateway,
  askProcess,
  hearGateway,
  hearProcess,
} from "../../../server/bus/pipe_messages.ts";
import { NO_PLACES } from "../../../server/capacity/capacity_check.ts";
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

/** Two ends of one pipe, and what each of them says beside the bus. */
function newPipe({ wait = () => new Promise<void>(() => {}) } = {}) {
  const other: string[] = [];
  const tooLong: string[] = [];
  const endOf = (write: (line: string) => void) =>
    new PipeBus({
      write,
      onOther: (line) => other.push(line),
      onTooLong: (subject) => tooLong.push(subject),
      wait,
    });
  const [there, back] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()];
  const [writer, backWriter] = [there.writable.getWriter(), back.writable.getWriter()];
  const write = (line: string) => void writer.write(bytes(`${line}\n`));
  const one = endOf(write);
  const two = endOf((line) => void backWriter.write(bytes(`${line}\n`)));
  const ended = Promise.all([one.read(back.readable), two.read(there.readable)]);
  const close = async () => {
    await Promise.all([writer.close(), backWriter.close()]);
    await ended;
  };
  return { one, two, write, close, other, tooLong };
}

Deno.test("PipeBus: messages and answers come whole, and to the part that listens (SPEC 17.12)", async () => {
  const { one, two, close, other } = newPipe();
  const heard: string[] = [];
  const text = (message: Uint8Array) => new TextDecoder().decode(message);
  two.subscribe("beat.*", (message) => void heard.push(text(message)));
  two.subscribe("list.a", (message) => Promise.resolve(`not one: ${text(message)}`));
  two.subscribe("empty.a", () => Promise.resolve(""));
  one.publish("beat.a", '{"line":"\u2028","end":1}');
  one.publish("beat.b", "a b");
  const answers = ["1", "two words"].map((each) => one.request("list.a", each, 1_000));
  assertEquals(await Promise.all(answers), ["not one: 1", "not one: two words"]);
  assertEquals(await one.request("empty.a", "", 1_000), "");
  assertEquals(heard, ['{"line":"\u2028","end":1}', "a b"]);
  assertEquals([one.isConnected, one.isInDoubt, other], [true, false, []]);

  // The other end ends: what was asked has no answer, and nothing is asked any more.
  two.subscribe("never.a", () => new Promise(() => {}));
  const open = one.request("never.a", "", 1_000);
  await close();
  assertEquals([await open, await one.request("list.a", "", 1_000)], [undefined, undefined]);
  assertEquals(one.isConnected, false);
});

Deno.test("PipeBus: a line that is no message is none, another version among them, and waits have bounds (SPEC 17.12)", async () => {
  const { one, two, write, close, other, tooLong } = newPipe({ wait: () => Promise.resolve() });
  two.subscribe("stop", () => {});
  const lines = [
    "",
    "{",
    "1",
    "1 publish",
    "1 publish stop2 {}",
    "2 publish stop {}",
    "1 answer x",
  ];
  for (const line of lines) write(line);
  write("1 answer 7 nobody asked");
  one.publish("stop", "é".repeat(LINE_BYTES_MAX / 2));
  two.subscribe("slow.a", () => new Promise(() => {}));
  assertEquals(await one.request("slow.a", "", 10), undefined, "its time is over");
  await close();
  assertEquals([other, tooLong], [lines, ["stop"]]);
});

Deno.test("pipe messages: a body of another form is refused, and unknown fields do not pass (SPEC 17.12)", async () => {
  const { one, two, close } = newPipe();
  const taken: unknown[] = [];
  const refused: string[] = [];
  const refuse = (subject: string) => void refused.push(subject);
  hearGateway(two, "stop", { take: (body) => taken.push(body), refuse });
  hearGateway(two, "ban", { take: (body) => taken.push(body), refuse });
  hearProcess(two, "round", { take: (body) => taken.push(body), refuse });
  answerGateway(two, "places", { answer: () => ({ ...NO_PLACES }), refuse });
  one.publish("stop", '{"more":1}');
  one.publish("ban", JSON.stringify({ addressBlock: "1".repeat(65), seconds: 1 }));
  const match = { id: "x", room: "crow", game: "dragons" };
  one.publish("round", JSON.stringify({ match, round: { round: 1, tick: 1, scores: [] } }));
  assertEquals(await one.request("places", "null", 1_000), "");
  const asked = { question: { addressBlock: "a" }, timeoutMs: 1_000 };
  assertEquals(await askProcess(one, "places", asked), NO_PLACES);
  assertEquals([taken, refused], [[{}], ["ban", "round", "places"]]);

  // An answer of another form is none.
  two.subscribe("enter", () => Promise.resolve('{"code":"full"}'));
  const ticket = {
    gameId: "x",
    room: "CROW",
    role: "player",
    name: "",
    protocolVersion: 1,
  } as const;
  const request = { protocolVersion: 1, gameId: "x", room: "CROW", spectate: false };
  const entry = { request, addressBlock: "a", ticket, elsewhere: NO_PLACES };
  const entered = { question: { ...entry, elsewhere: { ...NO_PLACES } }, timeoutMs: 1_000 };
  assertEquals(await askProcess(one, "enter", entered), undefined);
  await close();
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
      assert(!(await write("1 publish stop {}", 65_534)).success);
      // This user, who can end the process anyway: what is no message does nothing.
      assert((await write('1 publish stop {"', 0)).success);
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
