import { assertEquals } from "@std/assert";
import { ProcessWatch } from "../../../server/supervision/process_watch.ts";
import { formatReport, type WatchdogReport } from "../../../server/supervision/reports.ts";

const SUBJECT = JSON.stringify({
  game: "dragons-10",
  room: "ABCD",
  match: "20261127T000000-ABCD-0000000a",
});
const SUSPECT: WatchdogReport = {
  type: "suspect",
  phase: "tick",
  tick: 9,
  subject: SUBJECT,
  ms: 250,
};
const HANGS: WatchdogReport = { ...SUSPECT, type: "hangs", ms: 2_000 };
const CLEARED: WatchdogReport = { ...SUSPECT, type: "cleared", ms: 0 };
const FAULT = { matchId: "20261127T000000-ABCD-0000000a", tick: 9, phase: "tick" };

/** Reads what a process says, in these pieces. */
async function read(...pieces: readonly string[]) {
  const passed: string[] = [];
  const hangs: WatchdogReport[] = [];
  const events: string[] = [];
  const watch: ProcessWatch = new ProcessWatch({
    fields: { worker: 1 },
    log: (event, fields) => void events.push(`${event} ${JSON.stringify(fields)}`),
    passOn: (text) => void passed.push(text),
    onHang(report) {
      hangs.push(report);
      watch.blameHang(report);
    },
  });
  await watch.read(ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece))));
  return { watch, passed: passed.join(""), hangs, events };
}

Deno.test("ProcessWatch: reports are read in any pieces, and all other text is passed on as it is", async () => {
  const line = formatReport(HANGS);
  const text =
    `a game prints\n${line}${line}more \x1e text\n\x1enot JSON\n\x1e{"type":"hangs"}\nand no end`;
  for (const pieces of [[text], [...text]]) {
    const { watch, passed, hangs, events } = await read(...pieces);
    assertEquals(hangs.length, 2);
    assertEquals(
      passed,
      'a game prints\nmore \x1e text\n\x1enot JSON\n\x1e{"type":"hangs"}\nand no end',
    );
    assertEquals(watch.takeFaults(), [FAULT], "one hang is one fault");
    assertEquals(watch.takeFaults(), []);
    assertEquals(events, [
      'tick_hangs {"worker":1,"game":"dragons-10","room":"ABCD","id":"20261127T000000-ABCD-0000000a","tick":9,"phase":"tick","ms":2000}',
    ]);
  }
});

Deno.test("ProcessWatch: text without a newline is passed on in parts of a bounded length", async () => {
  const { passed } = await read(...Array.from({ length: 40 }, () => "x".repeat(10_000)));
  assertEquals(passed.length, 400_000);
});

Deno.test("ProcessWatch: the death of a process blames the step under way, and no other (SPEC 17.15)", async () => {
  const died = await read(formatReport(SUSPECT));
  died.watch.ended({ wasAsked: false });
  assertEquals(died.watch.takeFaults(), [FAULT]);
  assertEquals(died.events.length, 1);

  const wasQuick = await read(formatReport(SUSPECT), formatReport(CLEARED));
  wasQuick.watch.ended({ wasAsked: false });
  assertEquals(wasQuick.watch.takeFaults(), []);

  const wasAsked = await read(formatReport(SUSPECT));
  wasAsked.watch.ended({ wasAsked: true });
  assertEquals(wasAsked.watch.takeFaults(), []);
});
