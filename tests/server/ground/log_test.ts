import { assert, assertEquals } from "@std/assert";
import { formatJsonLine, formatLine, logTo, messageOf } from "../../../server/ground/log.ts";

Deno.test("formatLine: plain values stand as they are, in the order given", () => {
  const line = formatLine("room_opened", {
    room: "ABCD",
    seed: 7,
    full: false,
    url: "http://127.0.0.1:80/",
    late: -1.5,
  });
  assertEquals(line, "room_opened room=ABCD seed=7 full=false url=http://127.0.0.1:80/ late=-1.5");
  assertEquals(formatLine("stopping"), "stopping");
});

const HOSTILE = [
  "a b=c",
  "",
  '"',
  "x\r\ny",
  "\u001b[31mred",
  "\u0085",
  "\u2028",
  "\u202eevil",
  "\u009b31m",
  "\0",
  "=\\",
  '","event":"joined',
];

Deno.test("formatLine: no value can end the line, look like a field or steer the terminal", () => {
  for (const name of HOSTILE) {
    const line = formatLine("join", { name, players: 2 });
    assert(/^join name="[\x20-\x7e]*" players=2$/.test(line), line);
    assertEquals(JSON.parse(line.slice("join name=".length, -" players=2".length)), name);
  }
});

Deno.test("formatLine: a long value is cut", () => {
  assert(formatLine("join", { name: "x".repeat(100_000) }).length < 1_100);
  assert(formatLine("join", { name: "\u0007".repeat(100_000) }).length < 6_100);
});

Deno.test("logTo: each event is one line, and an error is its name and message", () => {
  const lines: string[] = [];
  logTo((line) => lines.push(line))("failed", { error: messageOf(new RangeError("seat 40")) });
  assertEquals(lines, ['failed error="RangeError: seat 40"']);
  assertEquals(messageOf("thrown text"), "thrown text");
});

Deno.test("formatJsonLine: any values give one object on one printable line, with the event first", () => {
  const line = formatJsonLine("room_opened", { room: "ABCD", seed: 7, full: false, lateMs: NaN });
  assertEquals(line, '{"event":"room_opened","room":"ABCD","seed":7,"full":false,"lateMs":null}');
  assertEquals(formatJsonLine("stopping"), '{"event":"stopping"}');
  for (const name of HOSTILE) {
    const line = formatJsonLine("joined", { name, players: 2 });
    assert(/^[\x20-\x7e]*$/.test(line), line);
    assertEquals(JSON.parse(line), { event: "joined", name, players: 2 });
  }
});

Deno.test("logTo: writes in the format asked for", () => {
  const lines: string[] = [];
  logTo((line) => lines.push(line), formatJsonLine)("joined", { players: 2 });
  assertEquals(lines, ['{"event":"joined","players":2}']);
});
