/**
 * What a supervised process reports to its parent on standard error, where it also writes for
 * people. Each report is a line of JSON behind a character that does not occur in texts. Other
 * lines are left as they are.
 */
import * as z from "zod";
import { PHASES, SUBJECT_BYTES_MAX } from "./heartbeat.ts";

/** ASCII 30, "record separator". */
const MARK = "\x1e";

const SUBJECT = z.object({
  game: z.string().max(SUBJECT_BYTES_MAX),
  room: z.string().max(64),
  match: z.string().max(64).optional(),
});

const port = z.int().min(0).max(65_535);

const REPORT = z.discriminatedUnion("type", [
  /** The watchdog saw that something takes long, that it goes on after all, or that it hangs. */
  z.object({
    type: z.enum(["suspect", "cleared", "hangs"]),
    phase: z.enum(PHASES),
    tick: z.int(),
    /** A `Subject` as JSON; empty for none. */
    subject: z.string().max(SUBJECT_BYTES_MAX),
    ms: z.int().min(0),
  }),
  /** The server listens. Its successor takes the same ports. */
  z.object({ type: z.literal("ready"), port, opsPort: port.optional() }),
]);
export type Report = z.output<typeof REPORT>;
export type WatchdogReport = Exclude<Report, { type: "ready" }>;

/** The longest report, characters. */
export const REPORT_CHARACTERS_MAX = 1_024;

/** @returns a line with its newline */
export function formatReport(report: Report): string {
  return `${MARK}${JSON.stringify(report)}\n`;
}

/** @returns undefined for a line that is not a report */
export function reportFrom(line: string): Report | undefined {
  if (!line.startsWith(MARK) || line.length > REPORT_CHARACTERS_MAX) return undefined;
  try {
    return REPORT.safeParse(JSON.parse(line.slice(MARK.length))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** @returns the match that a report is about; undefined for none */
export function subjectOf({ subject }: WatchdogReport): z.output<typeof SUBJECT> | undefined {
  return subject === "" ? undefined : SUBJECT.safeParse(JSON.parse(subject)).data;
}
