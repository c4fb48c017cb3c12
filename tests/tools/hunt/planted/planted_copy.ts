/** A copy of the project in which mistakes are planted, one after another, and hunted. */
import { copyProject, withMistake } from "../../../support/project_copy.ts";
import { textOf } from "../../../support/task.ts";
import type { Found } from "./find_main.ts";
import type { HuntPlant } from "./plants.ts";

/** The parts of `tests/` that the hunt imports. */
const TESTS = ["std", "support", "tools/hunt", "tools/lab"];

/** What the hunt found for a plant; null if it found nothing in time. */
export interface PlantResult {
  readonly plant: HuntPlant;
  readonly found: Found | null;
}

export class HuntedCopy {
  readonly #folder: string;

  readonly #secondsMax: number;

  private constructor(folder: string, secondsMax: number) {
    this.#folder = folder;
    this.#secondsMax = secondsMax;
  }

  /** @param secondsMax how long the search for a mistake may take */
  static async create(secondsMax: number): Promise<HuntedCopy> {
    return new HuntedCopy(await copyProject(...TESTS), secondsMax);
  }

  async remove(): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }

  /**
   * Plants one mistake, hunts it, and removes it again.
   * @throws Error if the mistake's text does not occur exactly once, or if the planted copy does
   * not run
   */
  async run(plant: HuntPlant): Promise<PlantResult> {
    return { plant, found: await withMistake(this.#folder, plant, () => this.#hunt(plant)) };
  }

  async #hunt({ host = "server" }: HuntPlant): Promise<Found | null> {
    const script = `${this.#folder}/tests/tools/hunt/planted/find_main.ts`;
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-check",
        "--allow-read",
        script,
        `${this.#secondsMax}`,
        host,
      ],
      cwd: this.#folder,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [stdout, stderr, { code }] = await Promise.all([
      textOf(child.stdout),
      textOf(child.stderr),
      child.status,
    ]);
    if (code !== 0) throw new Error(`the copy does not run: ${stderr}`);
    return JSON.parse(stdout.trim().split("\n").at(-1)!);
  }
}
