/** The public declarations stand in `tests/api`, so that each change of them shows in review. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { fileNameOf } from "../../../../client/build/libraries.ts";
import { hashOf, hashOfNumbers } from "../../../../shared/package/physics.ts";
import { packageOnce } from "./installed_package.ts";

const FOLDER = new URL("../../../api/", import.meta.url);

Deno.test("pack: tests/api says what the package exports; `deno task pack --api` writes it (SPEC 19.5)", async () => {
  const { api } = await packageOnce();
  const names = Object.keys(api).map((library) => `${fileNameOf(library)}.txt`);
  const present = await Array.fromAsync(Deno.readDir(FOLDER), ({ name }) => name);
  assertEquals(present.sort(), names.sort());
  for (const [library, { text }] of Object.entries(api)) {
    assertEquals(await Deno.readTextFile(new URL(`${fileNameOf(library)}.txt`, FOLDER)), text);
  }
});

Deno.test("pack: a former name works, says the new one once, and stands in tests/api as deprecated (SPEC 19.38)", async () => {
  const said: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => said.push(text);
  try {
    assertEquals(hashOf(1, 2, 3), hashOfNumbers(1, 2, 3));
    assertEquals(hashOf(4, 5), hashOfNumbers(4, 5));
  } finally {
    console.warn = warn;
  }
  assertEquals(said, [
    "wyvern: hashOf is hashOfNumbers now; the old name goes with version 0.3",
  ]);

  const { api } = await packageOnce();
  for (const library of ["./physics", "./netcode"] as const) {
    assertStringIncludes(api[library].text, "== hashOf (deprecated)\n");
    assertStringIncludes(api[library].text, "== hashOfNumbers\n");
  }
});
