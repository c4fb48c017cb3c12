/**
 * `bench feel`: what one of eight people sees of the others. A real page in Chromium plays on a
 * real server, with a rider at its keys (`tests/tools/people`). Seven more riders play in the same
 * room, all on the same modelled line. Each frame is compared with what the page simulates and with
 * what really happened. `feel_before.json` has the figures of the client before it was changed for
 * people.
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { Progress } from "../../../support/progress.ts";
import before from "../feel_before.json" with { type: "json" };
import { isLineName, LINE_NAMES, type LineName, lineOf } from "./lines.ts";
import { type LineFigures, runLine } from "./run_line.ts";

export const FLAGS = {
  minutes: {
    schema: wholeNumber(60, 1).default(5),
    about: "how long each line is recorded [5]",
    allowed: "a whole number 1 to 60",
  },
  lines: {
    schema: z.string().default(LINE_NAMES.join(",")).transform((text) => text.split(",")).pipe(
      z.array(z.custom<LineName>((name) => isLineName(String(name)))),
    ),
    about: `which lines, with commas between them [${LINE_NAMES.join(",")}]`,
    allowed: LINE_NAMES.join(", "),
  },
  "input-delay": {
    schema: wholeNumber(3).default(0),
    about: "ticks of input delay at the page [0]",
    allowed: "a whole number 0 to 3",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/**
 * A run with fewer deaths in five minutes saw no fights, and one with fewer solid marks has hidden
 * them.
 */
const DEATHS_MIN = 20;
const SOLID_MARK_SHARE_MIN = 0.6;

/**
 * With more stalled frames, fewer frames a second, or leads so far beyond a message's one-way time,
 * the machine was too busy. Clients that stall ask for long leads, and then each receives the
 * others' commands in time.
 */
const STALLED_SHARE_MAX = 0.05;
const FRAMES_PER_SECOND_MIN = 50;
const LEAD_BEYOND_WAY_MS_MAX = 120;

/** One line of the report. */
export interface FeelReport extends LineFigures {
  /** Relative to `feel_before.json`; null if that file lacks the line. */
  readonly remoteErrorToBefore: number | null;
  readonly popMeterToBefore: number | null;
  /** False for a run that says nothing, because too little happened or too few marks were solid. */
  readonly counts: boolean;
}

/** @returns the object that `--json` prints: a report by line */
export async function measureFeel(
  { minutes, lines, "input-delay": inputDelay }: FlagValues<typeof FLAGS>,
): Promise<Record<string, FeelReport>> {
  const progress = new Progress(lines.length * minutes * 60, "s");
  const reports: Record<string, FeelReport> = {};
  let seconds = 0;
  for (const line of lines) {
    const figures = await runLine({
      line,
      inputDelay,
      seconds: minutes * 60,
      onSecond: () => progress.show(++seconds),
    });
    reports[line] = reportOf(figures, { line, minutes });
  }
  progress.end();
  return reports;
}

/** Compares a line's figures with those before. */
export function reportOf(
  figures: LineFigures,
  { line, minutes }: { line: LineName; minutes: number },
): FeelReport {
  const was: Partial<Record<LineName, Pick<LineFigures, "remoteErrorM" | "popMeter">>> =
    before.lines;
  const ratio = (key: "remoteErrorM" | "popMeter") =>
    was[line] === undefined ? null : Math.round(figures[key] / was[line][key] * 1e3) / 1e3;
  const counts = figures.deaths >= DEATHS_MIN * minutes / 5 &&
    figures.solidMarkShare >= SOLID_MARK_SHARE_MIN;
  return {
    ...figures,
    remoteErrorToBefore: ratio("remoteErrorM"),
    popMeterToBefore: ratio("popMeter"),
    counts,
  };
}

/** The report as a table, a column for each line. */
export function feelTable(reports: Readonly<Record<string, FeelReport>>): string {
  const lines = Object.keys(reports);
  const [first] = Object.values(reports);
  const row = (name: string, cells: readonly string[]) =>
    name.padEnd(32) + cells.map((cell) => cell.padStart(10)).join("");
  const cells = (key: string) =>
    lines.map((line) => String(reports[line]![key as keyof FeelReport]));
  return [
    row("", lines),
    ...Object.keys(first!).map((key) => row(key, cells(key))),
    ...lines.flatMap((line) =>
      remarksOn(reports[line]!, line as LineName).map((remark) => `${line}: ${remark}`)
    ),
  ].join("\n");
}

function remarksOn(report: FeelReport, line: LineName): string[] {
  const { counts, deaths, solidMarkShare, stalledShare, framesPerSecond, leadMs, ridersLeadMs } =
    report;
  const isBusy = stalledShare > STALLED_SHARE_MAX || framesPerSecond < FRAMES_PER_SECOND_MIN ||
    Math.max(leadMs, ridersLeadMs) > lineOf(line).oneWayMs + LEAD_BEYOND_WAY_MS_MAX;
  return [
    ...counts
      ? []
      : [`does not count: ${deaths} deaths, marks solid in ${solidMarkShare} of near frames`],
    ...isBusy ? ["the machine was too busy: see framesPerSecond, stalledShare and the leads"] : [],
  ];
}
