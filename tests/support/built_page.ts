/** The pages of the present sources. */
import { build } from "../../client/build/build.ts";
import { isBuiltForRun } from "./run_folder.ts";

let built: Promise<unknown> | undefined;

/** Builds the pages once, so that servers serve those of the present sources. */
export async function builtPage(): Promise<void> {
  if (!isBuiltForRun()) await (built ??= build());
}
