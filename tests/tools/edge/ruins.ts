/**
 * Ruins connections of real pages at each of their stages, by all that an intermediary can do,
 * while the page is shown and while it is hidden: it has to be back in its seat, with its score. A
 * page has a relay and a room of its own, and goes through one damage after the other, each done to
 * one connection. The next one passes.
 */
import {
  type Damage,
  DAMAGES,
  Intermediary,
  type Verdict,
} from "../../support/relay/intermediary.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { Stranger } from "../../support/sockets/stranger.ts";
import { PlainChromium, type PlainPage } from "../../browser/plain_chromium.ts";

export const STAGES = ["address", "open", "welcome", "tick"] as const;
export type Stage = typeof STAGES[number];

/** A seat is kept as long as it was played, and a page may be away for ten seconds. */
const PLAYED_TICKS = 260;
/**
 * Between two damages the page plays for a while, so that none is done to a connection that begins.
 */
const REST_TICKS = 20;
/** A page that is not back after so long does not come back, ticks. */
const TICKS_MAX = 1_200;
const LOOK_EVERY_MS = 50;

/** What is done, and to whom. */
export interface Ruin {
  readonly stage: Stage;
  readonly damage: Damage;
  readonly isHidden: boolean;
}

export interface Outcome extends Ruin {
  /**
   * From the damage, or from the end of the connection before it, until a tick of after that is
   * there; Infinity for never, s.
   */
  readonly backSeconds: number;
  readonly isSameSeat: boolean;
  readonly isScoreKept: boolean;
}

/** All of them, page by page: 64. */
export function allRuins(): Ruin[] {
  return [false, true].flatMap((isHidden) =>
    STAGES.flatMap((stage) => DAMAGES.map((damage) => ({ stage, damage, isHidden } as const)))
  );
}

/** The page in the middle of its match. */
interface Look {
  readonly isPlaying: boolean;
  readonly tick: number;
  readonly seat: number;
  readonly score: number;
  /** Whether it has another connection than when `MARK` was evaluated. */
  readonly isNew: boolean;
}

const LOOK = `(() => {
  const session = globalThis.wyvern, own = session?.simulation?.world.player(session.seat);
  return { isPlaying: session?.phase === "playing" && own !== undefined, tick: session?.definitiveTick ?? -1,
    seat: session?.seat ?? -1, score: own?.fields.score ?? -1, isNew: session?.isMarked !== true };
})()`;
const MARK = "void (wyvern.isMarked = true)";

async function ticksOf({ url }: ServerProcess): Promise<number> {
  return (await (await fetch(`${url}healthz`)).json()).ticks;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/** What becomes of the next connection of a stage. */
function verdictOf(stage: Stage, damage: Damage, firstLine: string): Verdict {
  const isIts = stage === "address"
    ? /^POST .*\/join/.test(firstLine)
    : firstLine.startsWith("upgrade");
  return isIts ? { damage, onceOpen: stage === "welcome" } : "pass";
}

/** Does one damage, and waits until the page is back. */
async function ruin(
  page: PlainPage,
  { relay, server, ruin: { stage, damage, isHidden } }: {
    relay: Intermediary;
    server: ServerProcess;
    ruin: Ruin;
  },
): Promise<Outcome> {
  const look = (): Promise<Look> => page.evaluate(LOOK);
  const before = await look();
  const began = await ticksOf(server);
  await page.evaluate(MARK);
  if (stage === "tick") relay.do(damage);
  else {
    let isDone = false;
    relay.judge = (line) => {
      const verdict = isDone ? "pass" : verdictOf(stage, damage, line);
      isDone ||= verdict !== "pass";
      return verdict;
    };
    relay.do("close to the client");
  }

  // A connection that is only delayed may stay. The ticks that wait in it are older than the
  // damage's end.
  const isBack = ({ isPlaying, isNew, tick }: Look, now: number) =>
    isPlaying &&
    (isNew ||
      damage === "delay" && stage === "tick" &&
        tick >= before.tick + now - began - REST_TICKS / 4) &&
    tick > before.tick + REST_TICKS;
  let ticks = 0;
  let now = await look();
  do {
    await pause();
    ticks = await ticksOf(server) - began;
    now = await look();
  } while (!isBack(now, began + ticks) && ticks < TICKS_MAX);

  relay.judge = () => "pass";
  const isThere = isBack(now, began + ticks);
  return {
    stage,
    damage,
    isHidden,
    backSeconds: isThere ? ticks / 20 : Infinity,
    isSameSeat: now.seat === before.seat,
    isScoreKept: now.score >= before.score,
  };
}

/** One page that goes through its damages. */
async function runPage(
  browser: PlainChromium,
  { server, room, ruins, log }: {
    server: ServerProcess;
    room: string;
    ruins: readonly Ruin[];
    log: (line: string) => void;
  },
): Promise<Outcome[]> {
  await using relay = new Intermediary(server.port);
  const page = await browser.open(`${relay.url}play#${room}`, { newWindow: true });
  await page.until(`document.querySelector("#play")?.disabled === false`);
  await page.evaluate(`document.querySelector("#play").click()`);

  // The match goes on while the page is away.
  const watcher = await Stranger.join(server.port, { room, spectate: true });
  if (ruins[0]!.isHidden) await page.hide();
  const outcomes: Outcome[] = [];
  let playedUntil = PLAYED_TICKS;

  for (const each of ruins) {
    await page.until(`${LOOK}.isPlaying && wyvern.definitiveTick > ${playedUntil}`);
    const outcome = await ruin(page, { relay, server, ruin: each });
    outcomes.push(outcome);
    log(describe(outcome));
    if (outcome.backSeconds === Infinity) break;
    playedUntil = await page.evaluate("wyvern.definitiveTick") + REST_TICKS;
  }

  watcher.cut();
  await page.close();
  return outcomes;
}

/**
 * @param ruins those of one stage and visibility follow each other
 * @param options.pages pages at once
 */
export async function runRuins(
  ruins: readonly Ruin[],
  { pages, log }: { pages: number; log: (line: string) => void },
): Promise<Outcome[]> {
  await using server = await ServerProcess.start("--npcs", "1", "--idle", "0");
  await using browser = await PlainChromium.start();
  const groups = Object.values(
    Object.groupBy(ruins, ({ stage, isHidden }) => `${stage} ${isHidden}`),
  ) as Ruin[][];
  const waiting = groups.map((group, i) => ({
    ruins: group,
    room: `EDG${String.fromCharCode(65 + i)}`,
  }));
  const outcomes: Outcome[] = [];
  await Promise.all(Array.from({ length: pages }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      outcomes.push(...await runPage(browser, { server, log, ...next }));
    }
  }));
  return outcomes;
}

export function describe(
  { stage, damage, isHidden, backSeconds, isSameSeat, isScoreKept }: Outcome,
): string {
  const what = `${isHidden ? "hidden" : "shown"}, ${stage}: ${damage}`;
  const seat = `${isSameSeat ? "" : ", in another seat"}${
    isScoreKept ? "" : ", without its score"
  }`;
  return `${what.padEnd(40)} ${
    backSeconds === Infinity ? "not back" : `back after ${backSeconds.toFixed(1)} s`
  }${seat}`;
}

/** So long may a page be away, s, shown or hidden (SPEC 8.50). */
export const BACK_SECONDS_MAX = 10;

/** @returns a sentence for each outcome that breaks the law */
export function faultsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter(({ backSeconds, isSameSeat, isScoreKept }) =>
    !isSameSeat || !isScoreKept || backSeconds > BACK_SECONDS_MAX
  ).map(describe);
}
