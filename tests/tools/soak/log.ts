/**
 * The log of a match with 8 players and 8 NPCs, damaged in each way that a disk or a killed process
 * has:
 *
 *     flip         one bit is another one; every third is in a length, in a check or in a payload
 *     truncation   the file ends at a byte within a record: every such byte
 *     cut          the file ends between two records: every such place
 *
 * A flip and a truncation must be found at the record that has them. After a cut all is well, but
 * the end record is not there. The results depend on `--flips`, `--seconds` and `--seed` alone.
 *
 *     deno task soak log [--flips] [--seconds] [--seed] [--json]
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { FrameReader, type LogFault } from "../../../shared/netcode/match_log/frames.ts";
import { unpackedLog } from "../../../shared/netcode/match_log/packed_log.ts";
import { RecordReader } from "../../../shared/netcode/match_log/record_coder.ts";
import { LogError } from "../../../shared/netcode/match_log/records.ts";
import { MatchReplay } from "../../../shared/netcode/match_log/replay.ts";
import { headerOf, replayedLog } from "../../../shared/netcode/match_log/replayed_log.ts";
import { Random } from "../../../shared/random.ts";
import { playedLog } from "../lab/logs/played_log.ts";
import { Progress } from "../../support/progress.ts";
import { runTool } from "../../support/tool.ts";

const PLAYERS = 8;
const NPCS = 8;

/** A record's parts, and after how many bytes from its start each ends. */
const PLACES = ["length", "check", "payload"] as const;
const LENGTH_BYTES = 4;
const HEAD_BYTES = 8;

const FLAGS = {
  flips: {
    schema: wholeNumber(10_000_000, 1).default(10_000),
    about: "bits to flip, one at a time [10000]",
    allowed: "a whole number 1 to 10000000",
  },
  seconds: {
    schema: wholeNumber(600, 1).default(120),
    about: "how long the match is [120]",
    allowed: "a whole number 1 to 600",
  },
  seed: {
    schema: wholeNumber(4_000_000_000).default(1),
    about: "the seed of the match and of the flips [1]",
    allowed: "a whole number",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The object that `--json` prints. */
export interface LogReport {
  readonly flips: number;
  /** Flips after which the log was refused. */
  readonly found: number;
  /** Flips after which it was refused at the record that contains the bit. */
  readonly locatedWithinOneRecord: number;
  readonly flipsByPlace: Readonly<Record<typeof PLACES[number], number>>;
  readonly truncations: number;
  /** Truncations that were found at the torn record. */
  readonly foundTruncations: number;
  readonly cutsBetweenRecords: number;
  /** Cuts after which the replay found no end record. */
  readonly noEndRecord: number;
  /** How many logs were refused that were whole or cut between records. */
  readonly falseAlarms: number;
  readonly firstMiss: string | null;
  readonly records: number;
  readonly logBytes: number;
  readonly seconds: number;
}

/** A record's bytes in its log. */
interface RecordSpan {
  readonly from: number;
  readonly to: number;
}

const gameOf = (id: string) => id === dragonGame.id ? dragonGame : undefined;

/** Damages a log that is whole, in one way after another. */
export class LogSoak {
  readonly #log: Uint8Array<ArrayBuffer>;
  readonly #spans: readonly RecordSpan[];
  #firstMiss: string | null = null;

  /** @throws LogError for a log that is not whole */
  constructor(log: Uint8Array<ArrayBuffer>) {
    this.#log = log;
    this.#spans = spansOf(log);
  }

  get records(): number {
    return this.#spans.length;
  }

  /** @param onProgress called with the number of flips, and then of records, that are done */
  run(
    { flips, seed }: { flips: number; seed: number },
    onProgress: (done: number) => void,
  ): LogReport {
    const beganMs = performance.now();
    const flipped = this.#flipAll(flips, { random: new Random(seed), onProgress });
    const torn = this.#tearAll((done) => onProgress(flips + done));
    const cut = this.#cutAll();
    return {
      ...flipped,
      ...torn,
      ...cut,
      firstMiss: this.#firstMiss,
      records: this.records,
      logBytes: this.#log.length,
      seconds: Number(((performance.now() - beganMs) / 1000).toFixed(1)),
    };
  }

  #flipAll(
    flips: number,
    { random, onProgress }: { random: Random; onProgress: (done: number) => void },
  ): Pick<LogReport, "flips" | "found" | "locatedWithinOneRecord" | "flipsByPlace"> {
    const flipsByPlace = { length: 0, check: 0, payload: 0 };
    let found = 0;
    let locatedWithinOneRecord = 0;

    for (let i = 0; i < flips; i++) {
      const place = PLACES[i % PLACES.length]!;
      const { at, span } = this.#somePlace(place, random);
      const bit = random.below(8);
      this.#log[at]! ^= 1 << bit;
      const fault = faultOf(this.#log);
      this.#log[at]! ^= 1 << bit;
      flipsByPlace[place]++;
      if (fault !== undefined) found++;
      if (fault?.offset === span.from && fault.kind === "changed") locatedWithinOneRecord++;
      else {this.#miss(
          `bit ${bit} of byte ${at}, in the ${place} of the record at byte ${span.from}`,
          fault,
        );}
      onProgress(i + 1);
    }

    return { flips, found, locatedWithinOneRecord, flipsByPlace };
  }

  /**
   * Draws a length and a check by their record, and a byte of a payload by itself, because the
   * longest payloads are states.
   */
  #somePlace(place: typeof PLACES[number], random: Random): { at: number; span: RecordSpan } {
    if (place !== "payload") {
      const span = this.#spans[random.below(this.records)]!;
      return {
        at: span.from + (place === "length" ? 0 : LENGTH_BYTES) + random.below(LENGTH_BYTES),
        span,
      };
    }
    for (;;) {
      const at = random.below(this.#log.length);
      const span = this.#spans.find(({ to }) => at < to)!;
      if (at >= span.from + HEAD_BYTES) return { at, span };
    }
  }

  /**
   * Ends the log at every byte within a record. Earlier frames are unchanged, so the reader begins
   * at the frame before; for one byte of each record it reads the whole log.
   */
  #tearAll(
    onProgress: (done: number) => void,
  ): Pick<LogReport, "truncations" | "foundTruncations"> {
    let truncations = 0;
    let foundTruncations = 0;
    this.#spans.forEach(({ from, to }, i) => {
      const wholeAt = from + 1 + i % (to - from - 1);
      for (let length = from + 1; length < to; length++) {
        const torn = this.#log.subarray(0, length);
        const fault = length === wholeAt
          ? faultOf(torn)
          : lastFaultOf(torn, this.#spans[i - 1]?.from ?? 0);
        truncations++;
        if (fault?.offset === from && fault.kind === "torn") foundTruncations++;
        else this.#miss(`an end at byte ${length}, in the record at byte ${from}`, fault);
      }
      onProgress(i + 1);
    });
    return { truncations, foundTruncations };
  }

  /**
   * Ends the log after each of its records. It is played once, because what comes later does not
   * change an earlier replay.
   */
  #cutAll(): Pick<LogReport, "cutsBetweenRecords" | "noEndRecord" | "falseAlarms"> {
    const replay = new MatchReplay(dragonGame, headerOf(this.#log));
    const records = new RecordReader(dragonGame.command);
    let noEndRecord = 0;
    let falseAlarms = 0;
    const expectWhole = ({ from, to }: RecordSpan) => {
      const fault = lastFaultOf(this.#log.subarray(0, to), from);
      if (fault === undefined) return;
      falseAlarms++;
      this.#miss(`an end after the record at byte ${from}`, fault);
    };

    for (const span of this.#spans) {
      expectWhole(span);
      const record = records.read(this.#log.subarray(span.from + HEAD_BYTES, span.to));
      if (record.type !== "header") replay.play(record);
      if (span.to === this.#log.length) continue;
      if (replay.endReason === undefined) noEndRecord++;
      else {this.#miss(
          `an end after the record at byte ${span.from}: ${replay.endReason}`,
          undefined,
        );}
    }

    const fault = faultOf(this.#log);
    if (fault !== undefined || replay.endReason === undefined) {
      falseAlarms++;
      this.#miss("the whole log", fault);
    }
    return { cutsBetweenRecords: this.records - 1, noEndRecord, falseAlarms };
  }

  #miss(damage: string, fault: LogFault | undefined): void {
    this.#firstMiss ??= `${damage}: ${
      fault === undefined ? "not found" : `${fault.kind} at byte ${fault.offset}`
    }`;
  }
}

/** What `deno task replay`, and a server that starts, find in a log before they play its ticks. */
function faultOf(log: Uint8Array): LogFault | undefined {
  try {
    return replayedLog(unpackedLog(log, Infinity), { gameOf, toTick: 0 }).fault;
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    // "A log without a header": the words name the first record, and this the fault in it.
    return lastFaultOf(log, 0);
  }
}

/** @param from the offset of a record */
function lastFaultOf(log: Uint8Array, from: number): LogFault | undefined {
  const frames = new FrameReader(log, from);
  while (frames.next() !== undefined);
  return frames.fault;
}

function spansOf(log: Uint8Array): RecordSpan[] {
  const frames = new FrameReader(log);
  const spans: RecordSpan[] = [];
  for (let from = 0; frames.next() !== undefined; from = frames.offset) {
    spans.push({ from, to: frames.offset });
  }
  if (frames.fault !== undefined) {
    throw new LogError(`a log that is ${frames.fault.kind} before it is damaged`);
  }
  return spans;
}

/** @returns 0 if all damage was found, and nothing else, else 1 */
function soakLog({ flips, seconds, seed, json }: FlagValues<typeof FLAGS>): number {
  console.error(`a match of ${seconds} s is played`);
  const soak = new LogSoak(playedLog({ seed, seconds, players: PLAYERS, npcs: NPCS }).bytes);
  const total = flips + soak.records;
  const progress = new Progress(total, "damaged logs and records");
  const report = soak.run({ flips, seed }, (done) => {
    if (done % 100 === 0 || done === total) progress.show(done);
  });
  progress.end();
  if (report.firstMiss !== null) console.error(`Wrong: ${report.firstMiss}`);
  if (json) console.log(JSON.stringify(report));
  else {for (const [key, value] of Object.entries(report)) {
      console.log(key.padEnd(24), JSON.stringify(value));
    }}
  return report.firstMiss === null ? 0 : 1;
}

if (import.meta.main) Deno.exit(await runTool("soak log", { flags: FLAGS, run: soakLog }));
