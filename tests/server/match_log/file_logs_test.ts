import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { FileLogs, type SyncMode } from "../../../server/match_log/file_logs.ts";
import { UsageError } from "../../../shared/flags.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

const DAY_MS = 86_400_000;
const frameOf = (text: string) => new TextEncoder().encode(text);

/** The logs of a folder, and what they have said. */
function open(folder: string, { sync = "200ms" as SyncMode, nowMs = Date.UTC(2026, 10, 25) } = {}) {
  const said: string[] = [];
  const log = (event: string, fields = {}) => void said.push(`${event} ${JSON.stringify(fields)}`);
  return { said, logs: FileLogs.open({ folder, sync, clock: { now: () => nowMs }, log }) };
}

Deno.test("FileLogs: what was appended is in the file, an unfinished log goes on, a finished one does not (SPEC 15.6)", async () => {
  using data = await TemporaryData.make();
  const { logs } = open(data.folder);
  const first = logs.create("CROW"), second = logs.create("WREN");
  assertEquals([first.epoch, first.append(frameOf("one "))], [1, undefined]);
  first.append(frameOf("two"));
  second.append(frameOf("all "));
  second.end(frameOf("over"));
  assertEquals(data.names().map((name) => name.replace(/-\w{8}\./, "-ID.")), [
    "20261125T000000-CROW-ID.open",
    "20261125T000000-WREN-ID.log",
  ]);
  await logs.close();

  const { logs: later } = open(data.folder), [unfinished, ...others] = later.unfinished();
  assertEquals(others, []);
  assertEquals(new TextDecoder().decode(unfinished!.read()), "one two");
  // Half a record was torn.
  const again = unfinished!.takeOver({ bytes: 4, epoch: 2 });
  again.append(frameOf("2!"));
  assertEquals(new TextDecoder().decode(data.read(data.names()[0]!)), "one 2!");
  unfinished!.setAside();
  assertEquals(later.unfinished(), []);
  await later.close();
});

Deno.test("FileLogs: with tick an append waits for the disk, otherwise for nothing (SPEC 15.7)", async () => {
  for (const sync of ["tick", "200ms", "off"] as const) {
    using data = await TemporaryData.make();
    const { logs } = open(data.folder, { sync });
    const written = logs.create("CROW").append(frameOf("one"));
    assertEquals(written !== undefined, sync === "tick");
    await written;
    await logs.close();
  }
});

Deno.test("FileLogs: old logs go, and the oldest of too many bytes; unfinished ones stay (SPEC 15.9)", async () => {
  using data = await TemporaryData.make();
  for (const name of ["old.log", "old.bad", "old.open", "new.log"]) data.write(name, frameOf("bytes"));
  const nowMs = Date.now() + 8 * DAY_MS;
  const { logs } = open(data.folder, { nowMs });
  assertEquals(data.names(), ["old.open"]);
  await logs.close();
});

Deno.test("FileLogs: a disk that is full ends the log, not the match (SPEC 15.8)", async () => {
  using data = await TemporaryData.make();
  const { logs, said } = open(data.folder);
  // A device that is always full stands where the file would be.
  const name = "20261125T000000-CROW-00000000";
  Deno.symlinkSync("/dev/full", `${data.folder}/${name}.open`);
  const [unfinished] = logs.unfinished();
  const log = unfinished!.takeOver({ bytes: 0, epoch: 2 });
  assertEquals(log.append(frameOf("one")), undefined);
  log.append(frameOf("two"));
  log.end(frameOf("three"));
  assertEquals(logs.failures, 1);
  assert(logs.failure !== "");
  assertEquals(said.length, 1);
  assertStringIncludes(said[0]!, "match_log_failed");
  assertEquals(data.names(), [`${name}.bad`]);
  await logs.close();
});

Deno.test("serve: one server has a folder at a time; another gets a line and exit code 2 (SPEC 15.6)", async () => {
  using data = await TemporaryData.make();
  await using _first = await ServerProcess.start("--data", data.folder);
  const { runServer } = await import("../../support/servers/server_process.ts");
  const { code, stderr } = await runServer("--port", "0", "--data", data.folder);
  assertEquals([code, stderr], [
    2,
    `wyvern: --data ${data.folder} is in use by another server; choose another folder, or --data off\n`,
  ]);
  const outside = await runServer("--port", "0", "--data", "/proc/nowhere");
  assertEquals(outside.code, 2);
  assertStringIncludes(outside.stderr, "wyvern: --data /proc/nowhere cannot be written: ");
  assertThrows(
    () => FileLogs.open({ folder: "/proc/x", sync: "off", clock: { now: () => 0 }, log: () => {} }),
    UsageError,
  );
});
