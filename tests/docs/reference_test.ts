/**
 * `docs/reference.md`, the limits in `docs/hosting.md` and the texts for coding agents are fresh, and no symbol that authors of
 * games use is without a docstring.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { AGENTS, agentsText, LLMS, llmsText } from "./agents.ts";
import { type KitSymbol, symbolsOf } from "./kit_symbols.ts";
import { HOST_SETTINGS, hostSettingsText } from "./host_settings.ts";
import { HOSTING, hostingText } from "./limits_table.ts";
import { BEHIND, IMPORTED, REFERENCE, referenceText, silentOnes } from "./reference.ts";

Deno.test("reference: the file is what the sources' docstrings give; else run `deno task chore docs`", async () => {
  const [file, text] = await Promise.all([Deno.readTextFile(REFERENCE), referenceText()]);
  const lines = text.split("\n");
  const stale = file.split("\n").findIndex((line, i) => line !== lines[i]);
  assert(file === text, `line ${stale + 1} is stale: run deno task chore docs`);
});

Deno.test("hosting: the table of limits is what the code of the settings gives; else run `deno task chore docs`", async () => {
  const [page, text] = await Promise.all([Deno.readTextFile(HOSTING), hostingText()]);
  const lines = text.split("\n");
  const stale = page.split("\n").findIndex((line, i) => line !== lines[i]);
  assert(page === text, `line ${stale + 1} is stale: run deno task chore docs`);
});

Deno.test("wyvern/server: its typed settings are what the code of the settings gives; else run `deno task chore docs`", async () => {
  assert(
    await Deno.readTextFile(HOST_SETTINGS) === await hostSettingsText(),
    "server/package/host_settings.ts is stale: run deno task chore docs",
  );
});

Deno.test("agents: llms.txt and AGENTS.md are what the pages give, and their links lead somewhere; else run `deno task chore docs`", async () => {
  const files = [[LLMS, await llmsText()], [AGENTS, await agentsText()]] as const;
  for (const [url, text] of files) {
    assert(
      await Deno.readTextFile(url) === text,
      `${url.pathname} is stale: run deno task chore docs`,
    );
    const links = [...text.matchAll(/\]\(([\w./-]+)[)#]/g)];
    assertGreater(links.length, 2);
    for (const [, path] of links) await Deno.stat(new URL(path!, LLMS));
  }
});

Deno.test("reference: every symbol that authors import, and every member that they write or read, has a docstring", async () => {
  const symbols = (await Promise.all([...IMPORTED, ...BEHIND].map(symbolsOf))).flat();
  assertGreater(symbols.length, 100);
  assertGreater(symbols.flatMap(({ members }) => members).length, 200);
  assertEquals(silentOnes(symbols), []);
});

Deno.test("silentOnes: symbols and members without docstrings are found; x and y share one, tags need none", () => {
  const symbol = (doc: string, ...members: readonly string[]): KitSymbol => ({
    name: "Car",
    kind: "interface",
    path: "a.ts",
    signature: "",
    doc,
    members: members.map((member) => ({
      name: member.replace("!", ""),
      doc: member.endsWith("!") ? "Metres." : "",
    })),
  });
  assertEquals(silentOnes([symbol("A car.", "ax!", "ay", "bx", "by", "kind", "speed!")]), []);
  assertEquals(silentOnes([symbol("", "x!", "y")]), ["a.ts: Car"]);
  assertEquals(silentOnes([symbol("A car.", "x", "y", "speed!", "angle")]), [
    "a.ts: Car.x",
    "a.ts: Car.y",
    "a.ts: Car.angle",
  ]);
});
