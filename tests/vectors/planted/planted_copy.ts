/** A copy of the project in which mistakes are planted, one after another. */
import { copyProject } from "../../support/project_copy.ts";
import { textOf } from "../../support/task.ts";
import { FILES } from "../files.ts";
import type { Plant } from "./plants_of.ts";

/** The parts of `tests/` that the vectors' checks import. */
const TESTS = ["std", "vectors"];

/** The result of one plant. */
export interface PlantResult {
  readonly plant: Plant;
  /** The first case that failed; undefined if the plant survived. */
  readonly caughtBy: string | undefined;
}

export class PlantedCopy {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<PlantedCopy> {
    return new PlantedCopy(await copyProject(...TESTS));
  }

  async remove(): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }

  /** Checks every vector in the copy as it is. @throws Error if a case fails, or the copy does not load */
  async checkUnplanted(): Promise<void> {
    const caughtBy = await this.#check([]);
    if (caughtBy !== undefined) throw new Error(`a case fails without a plant: ${caughtBy}`);
  }

  /**
   * Plants one mistake, checks the vectors, and removes it again.
   * @throws Error if its text is not found exactly once, or if the planted copy does not load
   */
  async run(plant: Plant): Promise<PlantResult> {
    const path = `${this.#folder}/${plant.file}`, source = await Deno.readTextFile(path);
    const parts = source.split(plant.text);
    if (parts.length !== 2) throw new Error(`${plant.file} has ${parts.length - 1} times: ${plant.text}`);
    await Deno.writeTextFile(path, parts.join(plant.replacement));
    try {
      return { plant, caughtBy: await this.#check(plant.vectors) };
    } catch (error) {
      throw new Error(`${plant.file}, planted: ${plant.replacement}`, { cause: error });
    } finally {
      await Deno.writeTextFile(path, source);
    }
  }

  /** @param first the files to check first @returns the first case that fails; undefined if none does */
  async #check(first: Plant["vectors"]): Promise<string | undefined> {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--no-check", "--allow-read", `${this.#folder}/tests/vectors/planted/check_main.ts`],
        ...new Set([...first, ...FILES]),
      ],
      cwd: this.#folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr), child.status]);
    const [, caughtBy] = /^caught by (.*)/.exec(stdout) ?? [];
    if (caughtBy === undefined && stdout !== "ok\n") throw new Error(`the copy does not load: ${stderr}`);
    return caughtBy;
  }
}

/**
 * Runs plants in several copies at the same time.
 * @param onResult called after each plant
 * @returns the results in the order of the plants
 */
export async function runPlants(
  plants: readonly Plant[],
  { jobs = 1, onResult = () => {} }: { jobs?: number; onResult?: (result: PlantResult) => void } = {},
): Promise<PlantResult[]> {
  const results: PlantResult[] = [];
  let next = 0;
  const runJob = async () => {
    const copy = await PlantedCopy.create();
    try {
      await copy.checkUnplanted();
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
