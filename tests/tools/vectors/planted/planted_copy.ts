/** A copy of the project in which mistakes are planted, one after another. */
import { copyProject, runInCopies, withMistake } from "../../../support/project_copy.ts";
import { textOf } from "../../../support/task.ts";
import { FILES } from "../files.ts";
import type { Plant } from "./plants_of.ts";

/** The parts of `tests/` that the vectors' checks import. */
const TESTS = ["std", "support", "tools/vectors", "vectors"];

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

  /**
   * Checks every vector in the copy as it is.
   * @throws Error if a case fails, or the copy does not load
   */
  async checkUnplanted(): Promise<void> {
    const caughtBy = await this.#check([]);
    if (caughtBy !== undefined) throw new Error(`a case fails without a plant: ${caughtBy}`);
  }

  /**
   * Plants one mistake, checks the vectors, and removes it again.
   * @throws Error if its text is not found exactly once, or if the planted copy does not load
   */
  async run(plant: Plant): Promise<PlantResult> {
    const caughtBy = await withMistake(this.#folder, plant, () => this.#check(plant.vectors));
    return { plant, caughtBy };
  }

  /**
   * @param first the files to check first
   * @returns the first case that fails; undefined if none does
   */
  async #check(first: Plant["vectors"]): Promise<string | undefined> {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-check",
        "--allow-read",
        `${this.#folder}/tests/tools/vectors/planted/check_main.ts`,
        ...new Set([...first, ...FILES]),
      ],
      cwd: this.#folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [stdout, stderr] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      child.status,
    ]);
    const [, caughtBy] = /^caught by (.*)/.exec(stdout) ?? [];
    if (caughtBy === undefined && stdout !== "ok\n") {
      throw new Error(`the copy does not load: ${stderr}`);
    }
    return caughtBy;
  }
}

/**
 * Runs plants in several copies at the same time.
 * @returns the results in the order of the plants
 */
export function runPlants(
  plants: readonly Plant[],
  options: { jobs?: number; onResult?: (result: PlantResult) => void } = {},
): Promise<PlantResult[]> {
  const newCopy = async () => {
    const copy = await PlantedCopy.create();
    await copy.checkUnplanted();
    return copy;
  };
  return runInCopies(plants, { newCopy, ...options });
}
