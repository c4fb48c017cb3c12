/** A copy of the project for tests that write to it, or leave something out. */
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = ["client", "server", "shared", "deno.json", "deno.lock", "import_map.json"];

/**
 * Copies the sources, but not the built page, into a temporary folder; the packages are a link to
 * this project's.
 * @param tests folders of `tests/` to copy, too
 * @returns the folder, which the caller removes
 */
export async function copyProject(...tests: string[]): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  for (const name of COPIED) await copy(PROJECT + name, `${folder}/${name}`);
  for (const name of tests) await copy(`${PROJECT}tests/${name}`, `${folder}/tests/${name}`);
  await Deno.symlink(`${PROJECT}node_modules`, `${folder}/node_modules`);
  return folder;
}

/** A mistake in a copy of the sources. */
export interface Mistake {
  /** A path from the project's folder. */
  readonly file: string;
  /** Found exactly once in the file, whatever its lines are. */
  readonly text: string;
  readonly replacement: string;
}

/**
 * Plants a mistake in a copy, and removes it again after `action`.
 * @throws Error if its text is not found exactly once
 */
export async function withMistake<Result>(
  folder: string,
  { file, text, replacement }: Mistake,
  action: () => Promise<Result>,
): Promise<Result> {
  const path = `${folder}/${file}`;
  const source = await Deno.readTextFile(path);
  const parts = source.split(patternOf(text));
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${text}`);
  await Deno.writeTextFile(path, parts.join(replacement));
  try {
    return await action();
  } catch (error) {
    throw new Error(`${file}, planted: ${replacement}`, { cause: error });
  } finally {
    await Deno.writeTextFile(path, source);
  }
}

/**
 * Those that cannot be planted: their text is not found exactly once, or its replacement is the
 * same.
 */
export async function unplantable(mistakes: readonly Mistake[]): Promise<string[]> {
  const found: string[] = [];
  for (const { file, text, replacement } of mistakes) {
    const parts = (await Deno.readTextFile(PROJECT + file)).split(patternOf(text));
    if (parts.length !== 2 || text === replacement) {
      found.push(`${file} has ${parts.length - 1} times: ${text}`);
    }
  }
  return found;
}

/** Matches the code as a formatter breaks its lines, with or without a comma before a bracket. */
export function patternOf(code: string): RegExp {
  const tokens = code.match(/\w+|[^\w\s]/g) ?? [];
  const pattern = tokens.map((token, i) => {
    const isWord = /\w/.test(token);
    const gap = i === 0 ? "" : isWord && /\w/.test(tokens[i - 1]!) ? "\\s+" : "\\s*";
    if (/[\])}]/.test(token)) return `${gap},?\\s*\\${token}`;
    return gap + (isWord ? token : `\\${token}`);
  });
  return new RegExp(pattern.join(""));
}

/** A copy of the project in which mistakes are planted, one after another. */
export interface PlantedProject<Plant, Result> {
  run(plant: Plant): Promise<Result>;
  remove(): Promise<void>;
}

/**
 * Runs plants in several copies at the same time.
 * @param options.newCopy makes a copy; each job has its own
 * @param options.onResult called after each plant
 * @returns the results in the order of the plants
 */
export async function runInCopies<Plant, Result>(
  plants: readonly Plant[],
  { newCopy, jobs = 1, onResult = () => {} }: {
    newCopy: () => Promise<PlantedProject<Plant, Result>>;
    jobs?: number;
    onResult?: (result: Result) => void;
  },
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runJob = async () => {
    const copy = await newCopy();
    try {
      for (let i = next++; i < plants.length; i = next++) {
        results[i] = await copy.run(plants[i]!);
        onResult(results[i]!);
      }
    } finally {
      await copy.remove();
    }
  };
  await Promise.all(Array.from({ length: jobs }, runJob));
  return results;
}

async function copy(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    if (name !== "dist") await copy(`${from}/${name}`, `${to}/${name}`);
  }
}
