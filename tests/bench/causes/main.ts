/**
 * `bench causes`: the share of corrections over 5 cm that the overlay gives to their true cause. It plants causes in the
 * lab, in virtual time, and in a real match with a page in Chromium.
 */
import * as z from "zod";
import { type FlagValues, present, wholeNumber } from "../../../shared/flags.ts";
import { launchChromium } from "../../browser/chromium.ts";
import { PLANTED_CAUSES, PlantedMatch } from "../../lab/predictions/planted_causes.ts";
import { Progress } from "../../support/progress.ts";
import { measurePageCause, PAGE_CAUSES } from "./page_causes.ts";

export const FLAGS = {
  seconds: {
    schema: wholeNumber(25, 0).default(20),
    about: "how long each cause is planted in the real match; 0 leaves it out [20]",
    allowed: "a whole number 0 to 25",
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

/** Seconds of virtual time for which a cause is planted. */
const LAB_SECONDS = 60;

/** Corrections that the planted cause made, those given to it, and the share; null if it made none. */
interface Row {
  readonly planted: number;
  readonly given: number;
  readonly share: number | null;
}

type Rows = Record<string, Row>;

/** @returns the object that `--json` prints */
export async function measureCauses(
  { seconds, seeds, cause: part, list }: FlagValues<typeof FLAGS>,
): Promise<Record<string, unknown>> {
  const isChosen = ({ name }: { readonly name: string }) => name.includes(part);
  const labCauses = seeds === 0 ? [] : PLANTED_CAUSES.filter(isChosen);
  const pageCauses = seconds === 0 ? [] : PAGE_CAUSES.filter(isChosen);
  const progress = new Progress(labCauses.length * seeds + pageCauses.length, "runs");
  let done = 0;
  const lab: Rows = {}, page: Rows = {};
  for (const cause of labCauses) {
    let planted = 0, given = 0;
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
        const { planted, given, wrong, ...rest } = await measurePageCause(browser, cause, seconds * 1000);
        page[cause.name] = { ...rowOf(planted, given), ...rest };
        if (list) console.error(wrong.join("\n"));
        progress.show(++done);
      }
    } finally {
      await browser.close();
    }
  }
  progress.end();
  return { labShareLeast: leastShare(lab), pageShareLeast: leastShare(page), lab, page };
}

function rowOf(planted: number, given: number): Row {
  return { planted, given, share: planted === 0 ? null : Math.round(1000 * given / planted) / 1000 };
}

/** Null if no cause made a correction. */
function leastShare(rows: Readonly<Rows>): number | null {
  const shares = Object.values(rows).flatMap(({ share }) => share ?? []);
  return shares.length === 0 ? null : Math.min(...shares);
}
