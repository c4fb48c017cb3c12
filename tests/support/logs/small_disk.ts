/**
 * A real disk of a few megabytes, in memory, where the folder of a test's logs is. Only root may
 * mount one.
 */
import type { TemporaryData } from "./temporary_data.ts";

/** Whether this user may mount a disk: root, and not within most containers. */
export async function canMount(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const folder = await Deno.makeTempDir();
  try {
    if (!await run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder)) return false;
    return await run("umount", folder);
  } finally {
    await Deno.remove(folder);
  }
}

export class SmallDisk implements AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param megabytes the size of the disk */
  static async mount({ folder }: TemporaryData, megabytes: number): Promise<SmallDisk> {
    if (!await run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder)) {
      throw new Error(`${folder} cannot be mounted`);
    }
    return new SmallDisk(folder);
  }

  /** Takes all room that is left. */
  fill(): void {
    using file = Deno.openSync(`${this.#folder}/filler`, {
      write: true,
      create: true,
      append: true,
    });
    for (let bytes = 65_536; bytes >= 1;) {
      try {
        if (file.writeSync(new Uint8Array(bytes)) < bytes) throw new Error("no room for all of it");
      } catch {
        bytes >>= 1;
      }
    }
  }

  /** Gives the room back. */
  empty(): void {
    Deno.removeSync(`${this.#folder}/filler`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A server that was killed may have files open for a moment.
    while (!await run("umount", this.#folder)) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function run(command: string, ...args: string[]): Promise<boolean> {
  try {
    const { success } = await new Deno.Command(command, { args, stdout: "null", stderr: "null" })
      .output();
    return success;
  } catch {
    return false;
  }
}
