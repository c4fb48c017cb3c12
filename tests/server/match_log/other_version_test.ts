/**
 * A log of another version is refused in words, by a server that starts and by `deno task replay`.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { FrameWriter } from "../../../shared/netcode/match_log/frames.ts";
import { LOG_VERSION } from "../../../shared/netcode/match_log/records.ts";
import { P_TICK } from "../../../shared/netcode/wire/probabilities.ts";
import { CodeWriter } from "../../../shared/netcode/wire/range_coder.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { runTask } from "../../support/task.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";

/** The start of a header: no tick, the type "header", the epoch, and the version. */
function logOfVersion(version: number): Uint8Array {
  const coder = new CodeWriter();
  const pTick = version === 1 ? 4000 : P_TICK;
  const HEADER = 0;
  coder.reset();
  coder.flag(false, pTick);
  coder.bits(HEADER, 3);
  coder.varint(1);
  coder.varint(version);
  for (let i = 0; i < 40; i++) coder.bits(i, 8); // whatever that version has
  return new FrameWriter().frame(coder.finish()).slice();
}

const REFUSALS = [
  [1, `a log that does not begin with a header of version ${LOG_VERSION}`],
  [LOG_VERSION + 1, `a log of version ${LOG_VERSION + 1}; this program has ${LOG_VERSION}`],
] as const;

for (const [version, words] of REFUSALS) {
  Deno.test(`serve: a log of version ${version} is set aside, and the line says why (SPEC 15.5)`, async () => {
    using data = await TemporaryData.make();
    data.write("20200101T000000-CROW-00000000.open", logOfVersion(version));
    await using server = await ServerProcess.start("--data", data.folder);
    assertMatch(
      server.stdout,
      new RegExp(`match_set_aside id=20200101T000000-CROW-00000000 error="${words}"`),
    );
    assertEquals(data.names(), ["20200101T000000-CROW-00000000.bad"]);
    assertEquals((await (await fetch(`${server.url}readyz`)).json()).ready, true);
  });

  Deno.test(`replay: a log of version ${version} is refused in one line, with and without --info (SPEC 15.5)`, async () => {
    using data = await TemporaryData.make();
    data.write("old.log", logOfVersion(version));
    for (const flags of [[], ["--info"]]) {
      const { code, stdout, stderr } = await runTask("replay", `${data.folder}/old.log`, ...flags);
      assertEquals([code, stdout, stderr], [1, "", `replay: ${data.folder}/old.log is ${words}\n`]);
    }
  });
}
