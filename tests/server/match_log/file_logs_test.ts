import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { FolderWatch } from "../../../server/match_log/folder_watch.ts";
import { FileLogs, lockFolder, type SyncMode } from "../../../server/match_log/file_logs.ts";
import { UsageError } from "../../../shared/flags.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { VirtualTime } from "../../support/virtual_time.ts";

const DAY_MS = 86_400_000;
const frameOf = (text: string) => new TextEncoder().encode(text);

/**
 * The logs of a folder, and what they have said. Their folder is probed when the test lets time
 * pass.
 */
function open(folder: string, { sync = "200ms" as SyncMode, nowMs = Date.UTC(2026, 10, 25) } = {}) {
  const said: string[] = [];
  let wake = () => {};
  const log = (event: string, fields = {}) => {
    said.push(`${event} ${JSON.stringify(fields)}`);
    wake();
  };
  const scheduler = new VirtualTime();
  const until = async (event: string) => {
    while (!said.some((line) => line.startsWith(event))) {
      await new Promise<void>((resolve) => wake = resolve);
    }
  };
  return {
    said,
    until,
    scheduler,
    logs: FileLogs.open({ folder, sync, clock: { now: () => nowMs }, log, scheduler }),
  };
}

Deno.test("FileLogs: what was appended is in the file, an unfinished log goes on, a finished one does not (SPEC 15.6)", async () => {
  using data = await TemporaryData.make();
  const { logs } = open(data.folder);
  const first = logs.create("CROW");
  const second = logs.create("WREN");
  assertEquals([first.epoch, first.append(frameOf("one "))], [1, undefined]);
  first.append(frameOf("two"));
  second.append(frameOf("all "));
  second.end(frameOf("over"));
  assertEquals(data.names().map((name) => name.replace(/-\w{8}\./, "-ID.")), [
    "20261125T000000-CROW-ID.open",
    "20261125T000000-WREN-ID.log",
  ]);
  await logs.close();

  const { logs: later } = open(data.folder);
  const [unfinished, ...others] = later.unfinished();
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
  for (const name of ["old.log", "old.bad", "old.open", "new.log"]) {
    data.write(name, frameOf("bytes"));
  }
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

Deno.test("FileLogs: when the disk has room again a log that goes on begins again, and one that is over does not (SPEC 15.45)", async () => {
  using data = await TemporaryData.make();
  const { logs, said, until, scheduler } = open(data.folder);
  const names = ["20261125T000000-CROW-00000000", "20261125T000000-WREN-00000000"];
  for (const name of names) Deno.symlinkSync("/dev/full", `${data.folder}/${name}.open`);
  const [crow, wren] = logs.unfinished().map((each) => each.takeOver({ bytes: 0, epoch: 2 }));
  for (const log of [crow!, wren!]) log.append(frameOf("lost"));
  wren!.end(frameOf("lost"));
  assertEquals([logs.openCount, logs.failures, logs.recovered, crow!.isOpen], [0, 2, 0, false]);
  assertEquals(crow!.beginAgain?.(), false, "nobody has looked yet");

  await scheduler.pass(1_999);
  assert(logs.failure !== "");
  await scheduler.pass(1);
  await until("data_recovered");
  assertEquals([logs.failure, data.names()], ["", names.map((name) => `${name}.bad`)]);
  assertEquals([crow!.beginAgain?.(), crow!.isOpen, wren!.beginAgain?.()], [true, true, false]);
  assertEquals(crow!.beginAgain?.(), false, "it is open");
  crow!.append(frameOf("again"));
  assertEquals(new TextDecoder().decode(data.read(`${names[0]}.open`)), "again");
  assertEquals([logs.openCount, logs.failures, logs.recovered], [1, 2, 1]);
  assertEquals(said.map((line) => line.split(" ")[0]), [
    "match_log_failed",
    "match_log_failed",
    "data_recovered",
    "match_log_recovered",
  ]);
  await logs.close();
  assertEquals(crow!.beginAgain?.(), false, "its server has stopped");
});

Deno.test("FileLogs: hundreds of logs begin again a few at a time, and of a log's pieces the longest one stays (SPEC 15.45)", async () => {
  using data = await TemporaryData.make();
  const { logs, until, scheduler } = open(data.folder);
  const all = Array.from(
    { length: 20 },
    (_, i) => `20261125T000000-CROW-${String(i).padStart(8, "0")}`,
  );
  for (const name of all) Deno.symlinkSync("/dev/full", `${data.folder}/${name}.open`);
  const failed = logs.unfinished().map((each) => each.takeOver({ bytes: 0, epoch: 2 }));
  for (const log of failed) log.append(frameOf("lost"));
  Deno.removeSync(`${data.folder}/${all[0]}.bad`);
  data.write(`${all[0]}.bad`, frameOf("the longer piece"));
  await scheduler.pass(2_000);
  await until("data_recovered");
  assertEquals(failed.filter((log) => log.beginAgain!()).length, 8);

  // It fails again: of what it has had, the first piece is longer.
  Deno.removeSync(`${data.folder}/${all[0]}.open`);
  Deno.symlinkSync("/dev/full", `${data.folder}/${all[0]}.open`);
  const [again] = logs.unfinished().filter(({ id }) => id === all[0]);
  again!.takeOver({ bytes: 0, epoch: 3 }).append(frameOf("lost"));
  assertEquals(new TextDecoder().decode(data.read(`${all[0]}.bad`)), "the longer piece");
  assert(!data.names().includes(`${all[0]}.open`));
  await logs.close();
});

Deno.test("FileLogs: a match of another machine goes on here without a file, too, and its whole log replaces the piece (SPEC 15.45)", async () => {
  using data = await TemporaryData.make();
  const { logs, said, until, scheduler } = open(data.folder);
  const id = "20261125T000000-CROW-00000000";
  Deno.symlinkSync("/dev/full", `${data.folder}/${id}.open`);
  const log = logs.adopt(id, { epoch: 2, bytes: frameOf("from the servers") });
  assertEquals([log.isOpen, logs.failures], [false, 1]);
  Deno.symlinkSync("/dev/full", `${data.folder}/${id}.moved`);
  await logs.complete(id, frameOf("all of it"));
  assertEquals([logs.failures, data.names()], [2, [`${id}.bad`]]);
  await scheduler.pass(2_000);
  await until("data_recovered");
  await logs.complete(id, frameOf("all of it"));
  assertEquals(data.names(), [`${id}.log`]);
  assertEquals(said.map((line) => line.split(" ")[0]), [
    "match_log_failed",
    "match_log_failed",
    "data_recovered",
  ]);
  await logs.close();
});

Deno.test("FolderWatch: a folder that fails soon after it recovered is probed less often, up to once in 64 s (SPEC 15.45)", async () => {
  using data = await TemporaryData.make();
  const time = new VirtualTime();
  const waits: number[] = [];
  const scheduler = {
    now: () => time.now(),
    after(delayMs: number, action: () => void) {
      waits.push(delayMs / 1_000);
      return time.after(delayMs, action);
    },
  };
  let recovered = Promise.withResolvers<void>();
  const watch = new FolderWatch({
    folder: data.folder,
    scheduler,
    onRecovered: () => recovered.resolve(),
  });
  const fallAndRecover = async () => {
    recovered = Promise.withResolvers();
    watch.fail(new Error("No space left on device"));
    watch.fail(new Error("No space left on device"));
    assertStringIncludes(watch.failure, "No space left on device");
    await time.pass(waits.at(-1)! * 1_000);
    await recovered.promise;
    assertEquals(watch.failure, "");
  };
  for (let i = 0; i < 7; i++) await fallAndRecover();
  await time.pass(60_000);
  await fallAndRecover();
  assertEquals(waits, [2, 4, 8, 16, 32, 64, 64, 2]);
  watch.stop();
});

Deno.test("lockFolder: a lock that goes within 100 ms is waited for (SPEC 15.6)", async () => {
  using data = await TemporaryData.make();
  const holder = new Worker(
    URL.createObjectURL(
      new Blob([`
        const file = Deno.openSync("${data.folder}/lock", { create: true, write: true });
        file.lockSync(true);
        const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
        onmessage = () => { pause(); file.close(); };
        postMessage("locked");
      `], { type: "text/javascript" }),
    ),
    { type: "module" },
  );
  await new Promise((resolve) => holder.onmessage = resolve);
  holder.postMessage("release");
  lockFolder(data.folder).close();
  holder.terminate();
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
