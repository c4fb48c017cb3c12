/**
 * The file with the bans, in the folder of `--data`. It is written whole, beside the old one, and
 * then takes its place. A disk that refuses costs the file and no ban.
 */
import type { Bans } from "./bans.ts";
import { type Log, messageOf } from "../ground/log.ts";
import { BAN_LIST, BAN_LIST_BYTES_MAX } from "./ban_message.ts";
import { messageFrom } from "../messages/message_parts.ts";

const NAME = "bans.json";

/**
 * Reads the bans of earlier processes, and writes each change from now on. Call it while the folder
 * is locked.
 * @param options.folder the folder of `--data`
 */
export function keepBans(bans: Bans, { folder, log }: { folder: string; log: Log }): BanFile {
  const file = new BanFile(`${folder}/${NAME}`, log);
  for (const ban of file.read()) bans.take(ban);
  const save = () => file.write(bans.entries());
  bans.onChange(save);
  return file;
}

class BanFile {
  readonly #path: string;
  readonly #log: Log;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  /** @returns none for a file that is not there, or that is no list of bans */
  read(): ReturnType<Bans["entries"]> {
    let bytes: Uint8Array;
    try {
      bytes = Deno.readFileSync(this.#path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) this.#failed("read", messageOf(error));
      return [];
    }
    const bans = messageFrom(BAN_LIST, bytes, { bytesMax: BAN_LIST_BYTES_MAX });
    if (bans === undefined) this.#failed("read", "it is no list of bans");
    return bans ?? [];
  }

  write(bans: ReturnType<Bans["entries"]>): void {
    try {
      const next = `${this.#path}.next`;
      Deno.writeTextFileSync(next, JSON.stringify(bans));
      Deno.renameSync(next, this.#path);
    } catch (error) {
      this.#failed("written", messageOf(error));
    }
  }

  #failed(what: string, error: string): void {
    this.#log("bans_file_failed", { what, error });
  }
}
