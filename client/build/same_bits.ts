/**
 * Runs `deno task build:same-bits`: builds the page `/same-bits` for any file server. Other than the
 * one that `serve` has, it can also run planck, matter-js and Rapier, whose packages come with this
 * project's tests and not with a server.
 */
import * as z from "zod";
import { EXIT_UNUSABLE, parseFlags, usage, UsageError } from "../../shared/flags.ts";
import { buildSameBits } from "./build.ts";
import { checkStaticFolder, writeStaticFolder } from "./static_folder.ts";

/** In the page of every such build. */
const MARK = "data-rapier-worker=";

const FLAGS = {
  out: {
    schema: z.string().min(1),
    about: "the folder to write to, which is made",
    allowed: "a path; what an earlier build wrote there is replaced, and other files stay",
  },
} as const;

async function main(args: string[]): Promise<void> {
  const flags = parseFlags(args, FLAGS);
  if (flags === "help") return console.log(usage("deno task build:same-bits", FLAGS));
  await checkStaticFolder(flags.out, MARK);
  const files = await buildSameBits();
  await writeStaticFolder(flags.out, files);
  console.log(`Built ${files.length} files into ${flags.out}`);
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    Deno.exitCode = error instanceof UsageError ? EXIT_UNUSABLE : 1;
  }
}
