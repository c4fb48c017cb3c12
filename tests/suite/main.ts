/**
 * Runs every test: first those that may run side by side, one file per core, then those that must have the machine to
 * themselves. The last line counts both parts, as deno counts one.
 *
 *     deno task test [PATH … and flags of `deno test`]
 *
 * With arguments it runs only these tests, one file after the other. It checks no types: `deno task check` does.
 */
import { build } from "../../client/build/build.ts";
import { countsOf, type PartResult, summaryOf } from "./counts.ts";

/** A shell's exit code of a process that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;
/**
 * Tests that play in a real page, count frames, load a server to its limit or write beside the sources. Another test at
 * the same time would change what they see.
 */
const ALONE = ["tests/bench/feel", "tests/browser", "tests/client/build", "tests/soak/server_test.ts"];

/** One call of `deno test`. */
async function runPart(args: readonly string[]): Promise<PartResult> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--quiet", "--no-check", ...args],
    // Piped output would have no colours.
    ...(Deno.stdout.isTerminal() ? { env: { FORCE_COLOR: "1" } } : {}),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    child.kill("SIGINT");
  };
  Deno.addSignalListener("SIGINT", interrupt);
  const decoder = new TextDecoder();
  let output = "";
  for await (const bytes of child.stdout) {
    await writeAll(bytes);
    output += decoder.decode(bytes, { stream: true });
  }
  const { code } = await child.status;
  Deno.removeSignalListener("SIGINT", interrupt);
  return { code, counts: countsOf(output), isInterrupted };
}

async function writeAll(bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) written += await Deno.stdout.write(bytes.subarray(written));
}

async function runSuite(args: readonly string[]): Promise<number> {
  if (args.length > 0) return (await runPart(args)).code;
  // Two tests that build the page at the same time find nothing to write.
  await build();
  const beganMs = performance.now(), results: PartResult[] = [];
  for (const part of [["--parallel", `--ignore=${ALONE}`, "tests/"], ALONE]) {
    const result = await runPart(part);
    results.push(result);
    if (result.isInterrupted) break;
  }
  console.log(summaryOf(results, performance.now() - beganMs));
  if (results.at(-1)!.isInterrupted) return EXIT_INTERRUPTED;
  return results.every(({ code }) => code === 0) ? 0 : 1;
}

if (import.meta.main) Deno.exitCode = await runSuite(Deno.args);
