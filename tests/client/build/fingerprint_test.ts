/** The fingerprint of a game's rules: when it differs, where it is, and whom it keeps out. */
import { assertEquals, assertMatch, assertNotEquals, assertStringIncludes } from "@std/assert";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { buildPage } from "../../../client/build/build.ts";
import { fingerprintOf } from "../../../client/build/fingerprint.ts";
import { gamePage } from "../../../client/build/game_page.ts";
import { bundleProgram } from "../../../client/build/programs.ts";
import { requestFaultOf } from "../../../server/capacity/request_fault.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";

const ROOT = new URL("../../../", import.meta.url);
const PUCK = new URL("shared/games/puck/game.ts", ROOT);

async function inFolder(work: (folder: URL) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  try {
    await work(pathToFileURL(`${folder}/`));
  } finally {
    await esbuild.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("fingerprintOf: a rule changes it, a comment does not (SPEC 13.113)", async () => {
  await inFolder(async (folder) => {
    const source = (await Deno.readTextFile(PUCK)).replace(
      /"\.\.\/\.\.\//g,
      `"${fileURLToPath(new URL("shared/", ROOT))}`,
    );
    const of = async (name: string, text: string) => {
      const module = new URL(`${name}.ts`, folder);
      await Deno.writeTextFile(module, text);
      return await fingerprintOf(module);
    };
    const number = /(const \w+ = )(\d+);/.exec(source)!;
    const fingerprint = await of("puck", source);
    assertMatch(fingerprint, /^[0-9a-f]{12}$/);
    assertEquals(fingerprint, await fingerprintOf(PUCK));
    assertEquals(await of("words", `// the same game\n${source}`), fingerprint);
    assertNotEquals(
      await of("rules", source.replace(number[0], `${number[1]}${Number(number[2]) + 1};`)),
      fingerprint,
    );
  });
});

Deno.test("withFingerprints: a page and a program that were built have the same fingerprint (SPEC 13.113)", async () => {
  await inFolder(async (folder) => {
    const module = new URL("server/capacity/request_fault.ts", ROOT);
    const program = await Deno.readTextFile(new URL(await bundleProgram(module.href, folder)));
    const files = await buildPage(await gamePage("puck"), new URL("puck/", folder));
    const main = files.find(({ name }) => name.startsWith("main-"))!;
    const page = new TextDecoder().decode(main.bytes);
    const fingerprint = await fingerprintOf(PUCK);
    assertStringIncludes(program, fingerprint);
    assertStringIncludes(page, fingerprint);
  });
});

Deno.test("requestFaultOf: who has other rules is refused with both fingerprints, who names none is not (SPEC 13.113)", () => {
  const request = { protocolVersion: PROTOCOL_VERSION, gameId: "puck-1", room: "RULE" };
  const faultOf = (rules: string | undefined, own: string | undefined) =>
    requestFaultOf({ ...request, rules }, ["puck-1"], () => own);
  const [old, own] = ["0123456789ab", "ba9876543210"];
  assertEquals(faultOf(old, own), {
    code: CloseCode.version,
    reason: `puck-1 has other rules here, ${own} and not ${old}: ` +
      "reload the page, or start the bots from this build",
  });
  assertEquals(
    [faultOf(own, own), faultOf(undefined, own), faultOf(old, undefined)],
    [undefined, undefined, undefined],
  );
});
