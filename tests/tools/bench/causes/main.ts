/**
 * `bench causes`: how large a share of the corrections over 5 cm the overlay attributes to their
 * true cause. It plants causes in the lab, in virtual time, and in a real match with a page in
 * Chromium.
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { launchChromium } from "../../../browser/chromium.ts";
import { PLANTED_CAUSES, PlantedMatch } from "../../lab/predictions/planted_causes.ts";
import { Progress } from "../../../support/progress.ts";
import { measurePage } from "../page/main.ts";
import { measurePageCause, PAGE_CAUSES } from "./page_causes.ts";

export const FLAGS = {
  seconds: {
    schema: wholeNumber(270, 0).default(60),
    about: "how long each cause is planted in the real match at most; 0 leaves it out [60]",
    allowed: "a whole number 0 to 270",
  },
  corrections: {
    schema: wholeNumber(10_000, 1).default(100),
    about: "a cause that has made so many corrections in the real match is planted no longer [100]",
    allowed: "a whole number 1 to 10,000",
  },
  seeds: {
    schema: wholeNumber(20, 0).default(3),
    about: "matches per cause in the lab; 0 leaves the lab out [3]",
    allowed: "a whole number 0 to 20",
  },
  cause: {
    schema: z.string().default(""),
    about: "only causes whose name contains this text",
    allowed: "text",
  },
  list: {
    schema: present(),
    about: "print what the page says of each correction that it gives to another cause",
    allowed: "",
    switch: true,
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** How long a cause is planted, in seconds of virtual time. */
const LAB_SECONDS = 60;
const OVERLAY_SECONDS = 15;

/**
 * Corrections that the planted cause made, those attributed to it, and the share; null if it made
 * none.
 */
interface Row {
  readonly planted: number;
  readonly attributed: number;
  readonly share: number | null;
}

type Rows = Record<string, Row>;

/** @returns the object that `--json` prints */
export async function measureCauses(
  { seconds, corrections, seeds, cause: part, list }: FlagValues<typeof FLAGS>,
): Promise<Record<string, unknown>> {
  const isChosen = ({ name }: { readonly name: string }) => name.includes(part);
  const labCauses = seeds === 0 ? [] : PLANTED_CAUSES.filter(isChosen);
  const pageCauses = seconds === 0 ? [] : PAGE_CAUSES.filter(isChosen);
  const progress = new Progress(labCauses.length * seeds + pageCauses.length, "runs");
  let done = 0;
  const lab: Rows = {};
  const page: Rows = {};

  for (const cause of labCauses) {
    let planted = 0;
    let given = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const result = new PlantedMatch(cause, seed).run(LAB_SECONDS);
      planted += result.planted;
      given += result.given;
      progress.show(++done);
    }
    lab[cause.name] = rowOf(planted, given);
  }

  if (pageCauses.length > 0) {
    const browser = await launchChromium();
    try {
      for (const cause of pageCauses) {
        const options = { ms: seconds * 1000, corrections };
        const { planted, given, wrong, serverLateMs: { p99, max }, ...rest } =
          await measurePageCause(
            browser,
            cause,
            options,
          );
        const late = { serverLateMsP99: Math.round(p99), serverLateMsMax: Math.round(max) };
        page[cause.name] = { ...rowOf(planted, given), ...rest, ...late };
        if (list) console.error(wrong.join("\n"));
        progress.show(++done);
      }
    } finally {
      await browser.close();
    }
  }

  progress.end();
  const overlay = pageCauses.length > 0 ? await measureOverlay() : {};
  return {
    labShareLeast: leastShare(lab),
    pageShareLeast: leastShare(page),
    ...overlay,
    lab,
    page,
  };
}

/** The overlay's part of a frame, as `bench page --overlay` reports it, ms. */
async function measureOverlay(): Promise<Record<string, unknown>> {
  const report = await measurePage({
    seconds: OVERLAY_SECONDS,
    overlay: true,
    cpu: undefined,
    json: false,
  });
  return Object.fromEntries(Object.entries(report).filter(([key]) => key.startsWith("overlayMs")));
}

function rowOf(planted: number, given: number): Row {
  return {
    planted,
    attributed: given,
    share: planted === 0 ? null : Math.round(1000 * given / planted) / 1000,
  };
}

/** Null if no cause made a correction. */
function leastShare(rows: Readonly<Rows>): number | null {
  const shares = Object.values(rows).flatMap(({ share }) => share ?? []);
  return shares.length === 0 ? null : Math.min(...shares);
}
