/** A copy of the project for tests that write to it, or leave something out. */
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = ["client", "server", "shared", "deno.json", "deno.lock", "import_map.json"];

/**
 * Copies the sources, but not the built page, into a temporary folder; the packages are a link to this project's.
 * @param tests folders of `tests/` to copy, too
 * @returns the folder, which the caller removes
 */
export async function copyProject(...tests: string[]): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  for (const name of COPIED) await copy(PROJECT + name, `${folder}/${name}`);
  if (tests.length > 0) await Deno.mkdir(`${folder}/tests`);
  for (const name of tests) await copy(`${PROJECT}tests/${name}`, `${folder}/tests/${name}`);
  await Deno.symlink(`${PROJECT}node_modules`, `${folder}/node_modules`);
  return folder;
}

async function copy(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    if (name !== "dist") await copy(`${from}/${name}`, `${to}/${name}`);
  }
}
