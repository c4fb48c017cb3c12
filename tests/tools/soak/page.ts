/**
 * Watches for minutes how a real page moves the dragons (`tests/browser/paths.ts`): a test run
 * affords only seconds.
 *
 *     deno task soak page [--seconds] [--json]
 */
import { type FlagValues, present, UsageError, wholeNumber } from "../../../shared/flags.ts";
import { chromiumPath, launchChromium } from "../../browser/chromium.ts";
import { faultsOf, measurePaths } from "../../browser/paths.ts";
import { Progress } from "../../support/progress.ts";
import { runTool } from "../../support/tool.ts";

const FLAGS = {
  seconds: {
    schema: wholeNumber(3600, 5).default(60),
    about: "seconds to watch [60]",
    allowed: "a whole number 5 to 3600",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** @returns 0 if the paths were as they must be, else 1 */
async function soakPage({ seconds, json }: FlagValues<typeof FLAGS>): Promise<number> {
  if (chromiumPath === undefined) throw new UsageError("there is no Chromium here");
  const browser = await launchChromium();
  const progress = new Progress(seconds, "s of play");

  try {
    let second = 0;
    const report = await measurePaths(browser, {
      seconds,
      onSecond: () => progress.show(++second),
    });
    progress.end();
    const faults = faultsOf(report, seconds);
    for (const fault of faults) console.error(`Wrong: ${fault}`);
    if (json) console.log(JSON.stringify({ ...report, seconds, faults }));
    else {for (const [key, value] of Object.entries(report)) {
        console.log(key.padEnd(16), JSON.stringify(value));
      }}
    return faults.length === 0 ? 0 : 1;
  } finally {
    await browser.close();
  }
}

if (import.meta.main) Deno.exit(await runTool("soak page", { flags: FLAGS, run: soakPage }));
