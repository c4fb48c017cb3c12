/** Programs that measure run as bundles, as the server and the bots do. */
import { pathToFileURL } from "node:url";
import { bundleProgram } from "../../client/build/programs.ts";

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a program once, into a folder that goes when this process ends.
 * @param module its source, file://…
 * @returns the module to run, file://…
 */
export function bundled(module: string): Promise<string> {
  const present = bundles.get(module);
  if (present !== undefined) return present;
  const bundle = bundleInto(Deno.makeTempDirSync({ prefix: "wyvern-program-" }), module);
  bundles.set(module, bundle);
  return bundle;
}

async function bundleInto(folder: string, module: string): Promise<string> {
  addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  return await bundleProgram(module, pathToFileURL(`${folder}/`));
}
