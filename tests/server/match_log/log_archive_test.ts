import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { LogArchive, SpoiltLogError } from "../../../server/match_log/log_archive.ts";
import { UsageError } from "../../../shared/flags.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

const DAY_MS = 86_400_000;

function open(folder: string, nowMs = Date.now()) {
  const said: string[] = [];
  return {
    archive: LogArchive.open({
      folder,
      bytesMax: 16 * 1024 ** 3,
      clock: { now: () => nowMs },
      log: (event) => void said.push(event),
    }),
    said,
  };
}

Deno.test("LogArchive: a log comes back under its SHA-256, and two machines write one file (SPEC 17.182)", async () => {
  using data = await TemporaryData.make();
  const { archive } = open(data.folder);
  const { archive: other } = open(data.folder);
  const hash = await archive.put(new TextEncoder().encode("abc"));
  // FIPS 180-2, appendix B.1.
  assertEquals(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assertEquals(await other.put(new TextEncoder().encode("abc")), hash);
  assertEquals(data.names(), ["ba"]);
  assertEquals([...Deno.readDirSync(`${data.folder}/ba`)].map(({ name }) => name), [`${hash}.log`]);
  assertEquals(await other.get(hash), new TextEncoder().encode("abc"));
  assertEquals(await other.get("ba".repeat(32)), undefined);
});

Deno.test("LogArchive: a log that was changed is refused, and the next machine that has it mends it (SPEC 17.182)", async () => {
  using data = await TemporaryData.make();
  const { archive } = open(data.folder);
  const bytes = new Uint8Array(1_000).fill(7);
  const hash = await archive.put(bytes);
  const name = `${hash.slice(0, 2)}/${hash}.log`;
  for (const change of [bytes.with(500, 6), bytes.subarray(1), new Uint8Array()]) {
    data.write(name, change);
    await assertRejects(() => archive.get(hash), SpoiltLogError, "was changed");
  }
  await archive.put(bytes);
  assertEquals(await archive.get(hash), bytes);
});

Deno.test("LogArchive: old logs go after thirty days, and the oldest of too many (SPEC 17.182)", async () => {
  using data = await TemporaryData.make();
  const { archive, said } = open(data.folder);
  const nowMs = Date.now();
  const path = (i: number) => `${data.folder}/00/${String(i).repeat(64)}.log`;
  const write = (i: number, { days, bytes }: { days: number; bytes: number }) => {
    Deno.writeFileSync(path(i), new Uint8Array(bytes));
    Deno.utimeSync(path(i), new Date(), new Date(nowMs - days * DAY_MS));
  };
  const leftAfterAll = async () => {
    for (let part = 0; part < 256; part++) await archive.sweepNext();
    return [...Deno.readDirSync(`${data.folder}/00`)].map(({ name }) => Number(name[0])).sort();
  };
  Deno.mkdirSync(`${data.folder}/00`);
  for (const [i, days] of [1, 29, 31].entries()) write(i, { days, bytes: 10 });
  assertEquals(await leftAfterAll(), [0, 1]);

  // Each of 256 parts keeps 64 MiB.
  for (const i of [2, 3]) write(i, { days: i, bytes: 40 * 1024 ** 2 });
  assertEquals([await leftAfterAll(), said], [[0, 2], []]);
});

Deno.test("LogArchive: a folder that cannot be written is refused in words (SPEC 17.182)", async () => {
  using data = await TemporaryData.make();
  data.write("file", new Uint8Array());
  assertThrows(
    () => open(`${data.folder}/file`),
    UsageError,
    `--archive ${data.folder}/file cannot be written: `,
  );
});
