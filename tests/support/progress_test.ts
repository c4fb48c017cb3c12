import { assertEquals, assertMatch } from "@std/assert";
import { grouped, Progress } from "./progress.ts";

function target(isTerminal: boolean) {
  const written: string[] = [];
  return {
    written,
    isTerminal: () => isTerminal,
    writeSync: (bytes: Uint8Array) => written.push(new TextDecoder().decode(bytes)),
  };
}

Deno.test("progress: one line that rewrites itself on a terminal", () => {
  const terminal = target(true);
  const progress = new Progress(1000, "ticks", terminal);
  for (const done of [0, 250, 1000]) progress.show(done);
  progress.end();
  assertMatch(terminal.written[1]!, /^\r\[={6} {18}\] 25 %, 250 ticks, [\d,]+\/s, [\d:]+ left/);
  assertEquals(terminal.written.slice(0, 3).join("").includes("\n"), false);
  assertEquals(terminal.written.at(-1), "\n");
});

Deno.test("progress: elsewhere a plain line for every twentieth part", () => {
  const file = target(false);
  const progress = new Progress(1000, "ticks", file);
  for (let done = 0; done <= 1000; done++) progress.show(done);
  progress.end();
  assertEquals(file.written.length, 21);
  for (const line of file.written) assertMatch(line, /^\d+ %, [\d,]+ ticks, [^\r]*\n$/);
});

Deno.test("grouped: thousands are separated by commas", () => {
  assertEquals([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
});
