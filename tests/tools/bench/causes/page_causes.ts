/**
 * The causes that are planted in a real match. Measures how often the page's overlay names them.
 */
import type { Browser } from "playwright-core";
import { CauseMatch } from "./cause_match.ts";
import { epochMs } from "./timed_rider.ts";
import type { Place, Verdict } from "./truth.ts";

/** The usual delays must be known before a cause is planted. */
const WARM_UP_MS = 7000;
/** The page's file is saved this often, because it covers the last half minute. */
const PART_MS = 20_000;
/** The page's file shows no cause for corrections younger than this, ms. */
const COMPLETE_MS = 1000;

export interface PageCause {
  readonly name: string;
  readonly where: Place;
  begin?(match: CauseMatch): void | Promise<void>;
  /** Called every `everyMs`. */
  disturb?(match: CauseMatch): void | Promise<void>;
  end?(match: CauseMatch): void | Promise<void>;
  /** The time between two disturbances, ms [2000]. */
  readonly everyMs?: number;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How long a slow page takes for a frame: seven a second, as on a processor ten times slower. */
const FRAME_MS = 130;
/** Each bot is disturbed by itself, and is then left in peace for a while. */
const IN_TURN_MS = 800;

export const PAGE_CAUSES: readonly PageCause[] = [
  {
    name: "one rider stalls for 300 ms",
    where: "their line",
    everyMs: IN_TURN_MS,
    disturb: (match) => match.nextRival().stall(300),
  },
  {
    name: "5 % loss on a rider's line",
    where: "their line",
    begin: ({ rivals }) => rivals.forEach(({ conditions }) => conditions.lossPercent = 5),
    end: ({ rivals }) => rivals.forEach(({ conditions }) => conditions.lossPercent = 0),
  },
  {
    name: "5 % loss on this page's line",
    where: "own line",
    begin: ({ line }) => void (line.loss = 0.05),
    end: ({ line }) => void (line.loss = 0),
  },
  {
    name: "this page stalls for 300 ms",
    where: "this page",
    disturb: ({ page }) => page.evaluate(stallPage, 300),
  },
  {
    name: "this page is slow",
    where: "this page",
    begin: ({ page }) => page.evaluate(slowDown, FRAME_MS),
  },
  {
    name: "a flood fills the line of a slow page",
    where: "own line",
    begin: ({ page }) => page.evaluate(slowDown, FRAME_MS),
    disturb: fillLine,
  },
  {
    name: "a flood fills this page's line",
    where: "own line",
    disturb: fillLine,
  },
  {
    name: "a flood fills a rider's line",
    where: "their line",
    everyMs: IN_TURN_MS,
    disturb: async (match) => {
      const rival = match.nextRival();
      rival.hold();
      await pause(500);
      rival.release();
    },
  },
  {
    name: "strangers flood the server",
    where: "server",
    begin: (match) => match.beginFlood(),
    end: (match) => match.endFlood(),
  },
  {
    name: "the server drops ticks",
    where: "server",
    disturb: async ({ server }) => {
      server.signal("SIGSTOP");
      await pause(600);
      server.signal("SIGCONT");
    },
  },
];

/** How long a cause is planted, and after how many of its corrections it ends earlier. */
export interface PlantOptions {
  readonly ms: number;
  readonly corrections: number;
}

/** A run's parts together, and how late the server ran its ticks meanwhile. */
export interface PageResult extends Omit<Verdict, "isDisturbed"> {
  /**
   * Parts that do not count, because a busy machine made the server drop ticks without a planted
   * cause.
   */
  readonly disturbedParts: number;
  readonly serverLateMs: { readonly p99: number; readonly max: number };
}

/** Plants one cause in a match of its own, in parts of at most `PART_MS`. */
export async function measurePageCause(
  browser: Browser,
  cause: PageCause,
  { ms, corrections: enough }: PlantOptions,
): Promise<PageResult> {
  await using match = await CauseMatch.start(browser);
  await pause(WARM_UP_MS);
  const beganMs = match.pageNowMs;
  const sum = { corrections: 0, planted: 0, given: 0, disturbedParts: 0 };
  const wrong: string[] = [];
  await cause.begin?.(match);
  let fromMs = beganMs;

  for (let leftMs = ms; leftMs > 0 && sum.planted < enough; leftMs -= PART_MS) {
    await plant(match, cause, Math.min(leftMs, PART_MS));
    const part = await match.judge(cause.where, fromMs);
    fromMs = part.toMs;
    if (part.isDisturbed) {
      sum.disturbedParts++;
      continue;
    }
    sum.corrections += part.corrections;
    sum.planted += part.planted;
    sum.given += part.given;
    wrong.push(...part.wrong);
  }

  await cause.end?.(match);
  return { ...sum, wrong, serverLateMs: match.serverLateMs(beganMs) };
}

async function plant(
  match: CauseMatch,
  { disturb, everyMs = 2000 }: PageCause,
  ms: number,
): Promise<void> {
  for (const endMs = epochMs() + ms; epochMs() < endMs;) {
    await disturb?.(match);
    await pause(everyMs);
  }
  await pause(COMPLETE_MS);
}

async function fillLine({ line }: CauseMatch): Promise<void> {
  line.fill();
  await pause(400);
  line.drain();
}

/** Blocks the page's thread. Runs in the page. */
function stallPage(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

/** Makes each frame take this long from now on. Runs in the page. */
function slowDown(frameMs: number): void {
  const draw = () => {
    const endMs = performance.now() + frameMs;
    while (performance.now() < endMs);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}
