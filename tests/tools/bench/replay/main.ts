/**
 * `bench replay`: the replay page in Chromium. The lab plays a match of dragons, a real server
 * serves its log, and the page seeks to one drawn tick after another. A seek's time runs from the
 * input's event until its picture is drawn.
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { Random } from "../../../../shared/random.ts";
import { launchChromium } from "../../../browser/chromium.ts";
import { compactedLog, playedLog } from "../../lab/logs/played_log.ts";
import { Progress } from "../../../support/progress.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";
import { TemporaryData } from "../../../support/logs/temporary_data.ts";
import { quantileOf } from "../median.ts";

export const FLAGS = {
  players: {
    schema: wholeNumber(16, 1).default(2),
    about: "players in the match [2]",
    allowed: "a whole number 1 to 16",
  },
  npcs: {
    schema: wholeNumber(16).default(3),
    about: "NPCs in the match [3]",
    allowed: "a whole number 0 to 16",
  },
  seconds: {
    schema: wholeNumber(3600, 10).default(90),
    about: "how long the match is [90]",
    allowed: "a whole number 10 to 3600",
  },
  seeks: {
    schema: wholeNumber(1000, 10).default(100),
    about: "seeks [100]",
    allowed: "a whole number 10 to 1000",
  },
  seed: {
    schema: wholeNumber(2 ** 32 - 1).default(1),
    about: "the seed of match and seeks [1]",
    allowed: "a whole number",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

const ID = "20261125T081015-CROW-1a2b3c4d";

/** The part of `wyvernReplay` that the benchmark reads. */
interface ReplayPage {
  readonly tick: number;
  readonly hash: number;
  readonly seekMs: number;
  readonly player: {
    readonly keyFrameCount: number;
    readonly status: { readonly equalTicks: number };
  };
}
declare const wyvernReplay: ReplayPage;

/** @returns the object that `--json` prints */
export async function measureReplay(
  { players, npcs, seconds, seeks, seed }: FlagValues<typeof FLAGS>,
): Promise<Record<string, unknown>> {
  const { bytes, hashes, lastTick } = playedLog({ seed, seconds, players, npcs });
  using data = await TemporaryData.make();
  data.write(`${ID}.log`, bytes);
  await using server = await ServerProcess.start("--data", data.folder);
  const served = await fetch(`${server.url}api/matches/${ID}/log`);
  const servedBytes = Number(served.headers.get("content-length"));
  await served.body?.cancel();
  const browser = await launchChromium();
  const progress = new Progress(seeks, "seeks");

  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const beganMs = performance.now();
    await page.goto(`${server.url}replay#${ID}@0`);
    await page.waitForSelector("#check[data-state=equal]");
    const checkedMs = performance.now() - beganMs;
    const random = new Random(seed);
    const seekMs: number[] = [];
    let equalHashes = 0;
    for (let i = 0; i < seeks; i++) {
      const shown = await page.evaluate(seekTo, 1 + random.below(lastTick));
      if (shown.hash === hashes.get(shown.tick)) equalHashes++;
      seekMs.push(shown.seekMs);
      progress.show(i + 1);
    }
    const { equalTicks, keyFrames } = await page.evaluate(() => {
      const { status: { equalTicks }, keyFrameCount } = wyvernReplay.player;
      return { equalTicks, keyFrames: keyFrameCount };
    });
    const tenths = (ms: number) => Math.round(ms * 10) / 10;
    const quantile = (q: number) => tenths(quantileOf(seekMs, q));
    return {
      players,
      npcs,
      seconds,
      seed,
      ticks: lastTick,
      equalTicks,
      keyFrames,
      logBytes: bytes.length,
      thinnedBytes: compactedLog(bytes).length,
      servedBytes,
      openedAndCheckedMs: Math.round(checkedMs),
      seeks,
      equalHashes,
      seekMsP50: quantile(0.5),
      seekMsP95: quantile(0.95),
      seekMsMax: quantile(1),
    };
  } finally {
    await browser.close();
  }
}

/** Runs in the page. */
async function seekTo(tick: number): Promise<{ tick: number; hash: number; seekMs: number }> {
  const timeline = document.querySelector<HTMLInputElement>("#timeline")!;
  timeline.value = String(tick);
  timeline.dispatchEvent(new Event("input"));
  await new Promise<void>((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  );
  return { tick: wyvernReplay.tick, hash: wyvernReplay.hash, seekMs: wyvernReplay.seekMs };
}
