/** The public declarations stand in `tests/api`, so that each change of them shows in review. */
import { assertEquals } from "@std/assert";
import { fileNameOf } from "../../../../client/build/libraries.ts";
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
