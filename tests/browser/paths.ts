/**
 * Watches how a real page moves the dragons while a bot presses its keys and two other bots play in
 * the room, and counts steps of the own path and shivers of the others'.
 */
import type { Browser } from "playwright-core";
import { ServerProcess } from "../support/servers/server_process.ts";
import { spawnTask } from "../support/task.ts";
import { untilPlaying } from "./duel.ts";
import type { Paths } from "./pages/page_globals.ts";
import { shoot } from "./shots.ts";

/** The thresholds of `watchPaths`. */
const EYES = {
  /** One pixel of this page: 1280 of them show 32 m. Smaller motion is invisible. */
  seenMetres: 0.025,
  /**
   * Beyond this the error smoother fades (`client/presentation/error_smoother.ts`): a mispredicted
   * teleport to another spawn point.
   */
  snapMetres: 3,
  /** A frame so late is a stutter of the machine. The motion across it is not judged. */
  lateSeconds: 0.034,
  /**
   * Only the first frames of a large correction move the own dragon by so much beyond its speed,
   * metres.
   */
  fastStepMetres: 0.12,
};

/** Judges the motion in every frame, inside the page. */
function watchPaths({ seenMetres, snapMetres, lateSeconds, fastStepMetres }: typeof EYES): void {
  const paths: Paths = globalThis.paths = {
    pictures: 0,
    judged: 0,
    flaps: 0,
    reversals: {},
    ownStepMax: 0,
    ownStepWorst: [],
    fastOwnSteps: 0,
    ownSnaps: 0,
  };
  interface Trail {
    readonly x: number;
    readonly y: number;
    readonly speed: number;
    readonly teleports: number;
    /** The last three steps between frames in time. */
    readonly steps: readonly (readonly [number, number])[];
  }
  const trails = new Map<number, Trail>();
  let atMs = performance.now();
  let known = {};
  const isShiver = (steps: Trail["steps"]) => {
    const [a, b, c] = steps;
    if (c === undefined || steps.some((step) => Math.hypot(...step) < seenMetres)) return false;
    return a![0] * b![0] + a![1] * b![1] < 0 && b![0] * c[0] + b![1] * c[1] < 0;
  };
  const look = () => {
    const { atMs: nowMs, things } = wyvernScene!;
    const dragons = things.filter(({ name }) => name === "dragon");
    const seconds = Math.max(0, nowMs - atMs) / 1000;
    const isLate = seconds > lateSeconds;
    atMs = nowMs;
    paths.pictures++;
    if (!isLate) paths.judged++;

    for (const { id, seat, own, x, y, vx, vy } of dragons) {
      // A hit or a landing changes the speed. The speed before it and the speed after it each
      // explain a step.
      const head = wyvern!.simulation!.world.player(seat)!;
      const teleports = wyvern!.poses.head.find(id)?.teleports ?? 0;
      const speed = Math.max(Math.hypot(vx, vy), Math.hypot(head.vx, head.vy));
      const before = trails.get(id);
      const step = [x - (before?.x ?? x), y - (before?.y ?? y)] as const;
      const metres = Math.hypot(...step);
      const farthest = Math.max(speed, before?.speed ?? 0) * seconds;
      // The dragon also flew during the snap.
      const isSteady = before?.teleports === teleports && !isLate;
      const isSnap = metres + farthest > snapMetres;
      const steps = isSteady && !isSnap ? [...before.steps, step].slice(-3) : [];
      trails.set(id, { x, y, speed, teleports, steps });
      if (!own && isShiver(steps)) paths.reversals[seat] = (paths.reversals[seat] ?? 0) + 1;
      if (!own) continue;
      const { head: tick, definitiveTick, stats: { rollbacks } } = wyvern!;
      const was = known;
      known = { atMs, x, y, vx, vy, tick, fraction: wyvern!.fraction(), definitiveTick, rollbacks };
      if (isSteady && isSnap) paths.ownSnaps++;
      // In a sixtieth of a second: the smoother limits a speed, so a longer frame has more.
      const beyond = (metres - farthest) * Math.min(1, 1 / 60 / seconds);
      if (!isSteady || isSnap) continue;
      if (beyond > fastStepMetres) paths.fastOwnSteps++;
      if (beyond <= paths.ownStepMax) continue;
      paths.ownStepMax = beyond;
      paths.ownStepWorst = [was, known];
    }

    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * A bot at the keyboard. It sends real key events at random moments, from a seed. Runs inside the
 * page.
 */
function mashKeys(): void {
  let state = 12345;
  const chance = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const key = (type: string, code: string) =>
    dispatchEvent(new KeyboardEvent(type, { code, cancelable: true }));
  let side = "ArrowLeft";
  const act = () => {
    const own = wyvernScene!.own;
    const low = own !== undefined && own.y < 6;
    key("keyup", side);
    if (chance() < 0.3) side = side === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    key("keydown", side);
    if (chance() < (low ? 0.9 : 0.4)) {
      key("keydown", "Space");
      setTimeout(() => key("keyup", "Space"), 20 + 80 * chance());
      if (globalThis.paths) globalThis.paths.flaps++;
    }
    if (chance() < 0.1) {
      key("keydown", "KeyF");
      setTimeout(() => key("keyup", "KeyF"), 30);
    }
    setTimeout(act, 90 + 160 * chance());
  };
  act();
}

/** Ends a process that would run on, and discards its output. */
async function end(task: Deno.ChildProcess): Promise<void> {
  try {
    task.kill();
  } catch {
    // It has ended by itself.
  }
  await Promise.all([task.status, task.stdout.cancel(), task.stderr.cancel()]);
}

/** The result of a run. */
export interface PathReport extends Paths {
  readonly rollbacks: number;
  readonly late: number;
  readonly desyncs: number;
  /** The page's uncaught errors. */
  readonly faults: readonly string[];
}

/** The round trip and the jitter of the page's network, ms. */
const NETWORK = { rttMs: 100, jitterMs: 20 };
/**
 * Bots that play as people do. No client has their commands in advance, so each of them causes
 * mispredictions.
 */
const RIVALS = ["--room", "PATH", "--clients", "2", "--latency-ms", "60", "--jitter-ms", "10"];

/** @param onSecond called once a second while the paths are watched */
export async function measurePaths(
  browser: Browser,
  { seconds, onSecond }: { seconds: number; onSecond?: () => void },
): Promise<PathReport> {
  await using server = await ServerProcess.start("--seed", "11", "--npcs", "4");
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(`${server.url}play?debug#PATH`);
  await page.click("#play");
  await untilPlaying(page);

  // Set with the page's own sliders; then the overlay is closed again.
  await page.fill("#line-rtt", String(NETWORK.rttMs));
  await page.fill("#line-jitter", String(NETWORK.jitterMs));
  await page.waitForFunction((rttMs) => wyvern!.roundTripMs > rttMs, NETWORK.rttMs);
  await page.click("#debug-close");
  const url = server.url.replace("http", "ws");
  const task = await spawnTask("bots", "--url", url, ...RIVALS, "--seconds", String(seconds + 600));
  await using _ended = { [Symbol.asyncDispose]: () => end(task) };
  await page.waitForFunction(() =>
    [...wyvern!.names.keys()].filter((seat) => seat < 16).length === 3
  );
  await page.evaluate(mashKeys);
  await page.waitForTimeout(5000); // until the lead has converged
  const before = await page.evaluate(() => ({ ...wyvern!.stats }));
  await page.evaluate(watchPaths, EYES);
  for (let second = 0; second < seconds; second++) {
    await page.waitForTimeout(1000);
    onSecond?.();
  }
  const { paths, counts } = await page.evaluate(() => ({
    paths: globalThis.paths!,
    counts: { ...wyvern!.stats },
  }));
  await shoot(page, "feel.png");
  const rollbacks = counts.rollbacks - before.rollbacks;
  const late = counts.commandsLate - before.commandsLate;
  return { ...paths, rollbacks, late, desyncs: counts.desyncs, faults };
}

/**
 * A late command's correction begins fast: in the lab, over ten minutes, at up to 0.26 m a frame.
 */
const STEP_METRES_MAX = 0.3;
/** The most share of the frames in time with a step beyond `EYES.fastStepMetres`. */
const FAST_STEPS_SHARE = 0.001;

/** The rules that a run breaks, a line each. @param seconds how long the paths were watched */
export function faultsOf(report: PathReport, seconds: number): string[] {
  const { rollbacks, flaps, judged, desyncs, ownStepMax, fastOwnSteps, reversals, faults } = report;
  const reversalsMax = Math.max(0, ...Object.values(reversals));
  return [
    ...(rollbacks > seconds / 6 ? [] : [`only ${rollbacks} rollbacks`]),
    ...(flaps > seconds ? [] : [`only ${flaps} flaps`]),
    ...(judged > seconds * 10 ? [] : [`only ${judged} frames were in time`]),
    ...(desyncs === 0 ? [] : [`${desyncs} desyncs`]),
    ...(ownStepMax <= STEP_METRES_MAX
      ? []
      : [`the own dragon stepped by ${ownStepMax.toFixed(3)} m`]),
    ...(fastOwnSteps <= Math.max(3, FAST_STEPS_SHARE * judged)
      ? []
      : [`the own dragon stepped fast ${fastOwnSteps} times`]),
    ...(reversalsMax <= 1
      ? []
      : [`a dragon's path turned back ${reversalsMax} times for a single frame`]),
    ...faults,
  ];
}
