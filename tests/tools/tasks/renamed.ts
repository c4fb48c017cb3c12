/**
 * The tasks of version 0.1 under their former names. Each runs nothing: it prints the new name and
 * ends with the exit code of a wrong command line. Version 0.2 is without them.
 */
import { EXIT_UNUSABLE } from "../../../shared/flags.ts";

/** The new name of each former one. */
export const RENAMED: Readonly<Record<string, string>> = {
  "attack": "chaos attack",
  "check:game": "prove game",
  "cluster": "chaos cluster",
  "crash": "chaos crash",
  "determinism": "prove determinism",
  "docs": "chore docs",
  "edge": "chaos edge",
  "hunt:planted": "hunt planted",
  "lab:cheats": "lab cheats",
  "lab:line": "lab connection",
  "other-client": "prove other-client",
  "quality": "bench quality",
  "scale": "bench scale",
  "soak:log": "soak log",
  "soak:page": "soak page",
  "soak:physics": "soak physics",
  "soak:server": "soak server",
  "soak:snapshots": "soak snapshots",
  "tidy": "chore tidy",
  "vectors:planted": "vectors planted",
};

if (import.meta.main) {
  const [name = ""] = Deno.args;
  console.error(`deno task ${name} is now deno task ${RENAMED[name]}`);
  Deno.exitCode = EXIT_UNUSABLE;
}
