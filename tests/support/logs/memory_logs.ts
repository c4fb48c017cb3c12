/**
 * Logs of matches in memory, for the lab and for tests: what a process has appended survives its
 * end.
 */
import type { MatchLog } from "../../../server/match/match_recorder.ts";
import { type Attempts, NO_ATTEMPTS } from "../../../server/match_log/attempts.ts";
import type { MatchLogs, UnfinishedLog } from "../../../server/match_log/match_logs.ts";

/** The bytes of one log. */
export class MemoryLog {
  readonly room: string;
  #bytes = new Uint8Array(65_536);
  #length = 0;
  state: "open" | "over" | "set aside" = "open";
  attempts: Attempts = NO_ATTEMPTS;

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
    return writerOf(log, { id: `${room}-${this.all.length}`, epoch: 1 });
  }

  unfinished(): readonly UnfinishedLog[] {
    const withIds = this.all.map((log, i) => ({ log, id: `${log.room}-${i + 1}` }));
    return withIds.filter(({ log }) => log.state === "open").map(({ log, id }) => ({
      id,
      read: () => log.bytes.slice(),
      takeOver: ({ bytes, epoch }) => {
        log.truncate(bytes);
        return writerOf(log, { id, epoch });
      },
      get attempts() {
        return log.attempts;
      },
      note: (attempts) => log.attempts = attempts,
      setAside: () => log.state = "set aside",
    }));
  }
}

function writerOf(log: MemoryLog, { id, epoch }: { id: string; epoch: number }): MatchLog {
  return {
    id,
    epoch,
    get isOpen() {
      return log.state === "open";
    },
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
