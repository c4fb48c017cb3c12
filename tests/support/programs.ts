/**
 * Tests that need a program of the machine, such as nginx. Where it is missing, they are left out
 * with a word.
 */
import { browsersAreRequired, firstFile } from "../browser/places.ts";

/** The path of a program of this machine; undefined if it is not installed. */
export function programPath(name: string): string | undefined {
  return firstFile(
    ["/usr/sbin", "/usr/bin", "/usr/local/bin"].map((folder) => `${folder}/${name}`),
  );
}

/** Registers a test that needs programs. In CI, where browsers are required, so are they. */
export function programTest(
  name: string,
  { programs, run }: { programs: readonly string[]; run: () => Promise<void> },
): void {
  const missing = programs.filter((program) => programPath(program) === undefined);
  const isLeftOut = missing.length > 0 && !browsersAreRequired();
  if (isLeftOut) console.warn(`left out, for want of ${missing.join(", ")}: ${name}`);
  Deno.test({ name, ignore: isLeftOut, fn: run });
}

/** Runs a program to its end. @throws Error with its output if it fails */
export async function runProgram(name: string, ...args: string[]): Promise<string> {
  const path = programPath(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  const { code, stdout, stderr } = await new Deno.Command(path, { args }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  if (code !== 0) throw new Error(`${name} ${args.join(" ")} ended with ${code}:\n${text}`);
  return text;
}
