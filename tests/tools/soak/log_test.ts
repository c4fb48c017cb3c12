/** A small soak of damaged logs; `deno task soak log` flips 10,000 bits of a longer one. */
import { assertEquals, assertGreater, assertMatch } from "@std/assert";
import { FrameReader } from "../../../shared/netcode/match_log/frames.ts";
import { playedLog } from "../lab/logs/played_log.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { runTask } from "../../support/task.ts";
import type { LogReport } from "./log.ts";

Deno.test("soak log: each flipped bit and each torn record is found at its record, and no cut is a fault (SPEC 15.2, 15.15) [seed 1]", async () => {
  const { code, stdout, stderr } = await runTask(
    "soak",
    "log",
    "--flips",
    "150",
    "--seconds",
    "6",
    "--json",
  );
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /100 %, \d+ damaged logs and records/);
  const report: LogReport = JSON.parse(stdout.trim().split("\n").at(-1)!);
  const { records, logBytes, truncations } = report;
  assertEquals([report.flips, report.found, report.locatedWithinOneRecord], [150, 150, 150]);
  assertEquals(report.flipsByPlace, { length: 50, check: 50, payload: 50 });
  assertEquals([truncations, report.foundTruncations], [logBytes - records, truncations]);
  assertEquals([report.cutsBetweenRecords, report.noEndRecord], [records - 1, records - 1]);
  assertEquals([report.falseAlarms, report.firstMiss], [0, null]);
  assertGreater(records, 120);
});

Deno.test("replay: says what is wrong with a damaged log, and at which byte (SPEC 15.2, 15.15) [seed 2]", async () => {
  using data = await TemporaryData.make();
  const { bytes } = playedLog({ seed: 2, seconds: 3 });
  const frames = new FrameReader(bytes);
  for (let i = 0; i < 20; i++) frames.next();
  const twentieth = frames.offset;
  const replay = async (log: Uint8Array) => {
    data.write("damaged.log", log);
    const { code, stdout } = await runTask("replay", `${data.folder}/damaged.log`, "--json");
    const { end, error } = JSON.parse(stdout);
    return { code, end, error };
  };
  const flipped = bytes.slice();
  flipped[twentieth]! ^= 1;
  const changed = {
    code: 1,
    end: "no end record",
    error: `the record was changed at byte ${twentieth}`,
  };
  const torn = {
    code: 1,
    end: "no end record",
    error: `it ends within the record at byte ${twentieth}`,
  };
  assertEquals(await replay(bytes), { code: 0, end: "empty", error: "" });
  assertEquals(await replay(bytes.subarray(0, twentieth)), {
    code: 0,
    end: "no end record",
    error: "",
  });
  assertEquals(await replay(bytes.subarray(0, twentieth + 9)), torn);
  assertEquals(await replay(flipped), changed);
});

Deno.test("soak log: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("soak", "log", "--flips", "0");
  assertEquals(code, 2);
  assertMatch(stderr, /--flips cannot be "0"/);
});
