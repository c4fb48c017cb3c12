/** Logs of matches in memory, for the lab and for tests: what a process has appended survives its end. */
import type { MatchLog } from "../../../server/match/match_recorder.ts";
import type { MatchLogs, UnfinishedLog } from "../../../server/match_log/match_logs.ts";

/** The bytes of one log. */
export class MemoryLog {
  readonly room: string;
  #bytes = new Uint8Array(65_536);
  #length = 0;
  state: "open" | "over" | "set aside" = "open";

  constructor(room: string) {
    this.room = room;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  append(frame: Uint8Array): void {
    if (this.#length + frame.length > this.#bytes.length) {
      const grown = new Uint8Array(2 * (this.#length + frame.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(frame, this.#length);
    this.#length += frame.length;
  }

  /** Loses the end, as a torn write does. */
  truncate(length: number): void {
    this.#length = length;
  }
}

export class MemoryLogs implements MatchLogs {
  readonly all: MemoryLog[] = [];

  create(room: string): MatchLog {
    const log = new MemoryLog(room);
    this.all.push(log);
    return writerOf(log, 1);
  }

  unfinished(): readonly UnfinishedLog[] {
    return this.all.filter(({ state }) => state === "open").map((log, i) => ({
      id: `${log.room}-${i}`,
      read: () => log.bytes.slice(),
      takeOver: ({ bytes, epoch }) => {
        log.truncate(bytes);
        return writerOf(log, epoch);
      },
      setAside: () => log.state = "set aside",
    }));
  }
}

function writerOf(log: MemoryLog, epoch: number): MatchLog {
  return {
    epoch,
    append: (frame) => {
      log.append(frame);
      return undefined;
    },
    end: (frame) => {
      log.append(frame);
      log.state = "over";
    },
  };
}
