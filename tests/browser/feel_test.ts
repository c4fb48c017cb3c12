/** What a player feels, measured in the list of what each picture draws: his keys at once, and nobody jumping or shivering. */
import { assert, assertEquals, assertGreater, assertLessOrEqual } from "@std/assert";
import type { Page } from "playwright-core";
import { ServerProcess } from "../support/server_process.ts";
import { spawnTask } from "../support/task.ts";
import { browserTest } from "./chromium.ts";
import { untilPlaying } from "./duel.ts";
import "./page_globals.ts";
import { shoot } from "./shots.ts";

const SIZE = { width: 1280, height: 720 };

async function play(page: Page, url: string): Promise<void> {
  await page.setViewportSize(SIZE);
  await page.goto(url);
  await page.click("#play");
  await untilPlaying(page);
}

/** So many keys; none may take longer than these pictures. */
const KEYS = 12;
const PICTURES_MAX = 2;

/**
 * Watches every picture from inside the page: from each press of the flap key to the first picture in which the own dragon has
 * begun a beat and has moved from the line it was on.
 */
function watchKeys(): void {
  globalThis.picturesToFlap = [];
  addEventListener("keydown", ({ code, repeat }) => {
    if (code !== "Space" || repeat) return;
    const own = () => wyvernScene!.dragons.find((dragon) => dragon.own)!;
    const { y, vy } = own(), from = performance.now();
    let pictures = 0;
    const look = () => {
      pictures++;
      const now = own(), expected = y + vy * (performance.now() - from) / 1000;
      // Under a ceiling it beats its wings and stays.
      if (now.flapAge <= 1 && (now.y > expected + 0.01 || now.vy > vy + 1)) globalThis.picturesToFlap!.push(pictures);
      else if (pictures < 60) requestAnimationFrame(look);
      else globalThis.picturesToFlap!.push(pictures);
    };
    requestAnimationFrame(look);
  });
}

browserTest("page: a key shows within two pictures at a round trip of 200 ms", async (browser) => {
  await using server = await ServerProcess.start("--seed", "7", "--npcs", "0");
  const page = await browser.newPage();
  await play(page, `${server.url}play?rtt=200#KEYS`);
  await page.evaluate(watchKeys);
  for (let i = 0; i < KEYS; i++) {
    // In the air as on the ground, at whatever part of a tick it is.
    await page.waitForFunction(() => wyvern!.simulation!.dragonOfSeat(wyvern!.seat)!.fields.flapAge > 8);
    await page.waitForTimeout(i * 7);
    await page.keyboard.press("Space", { delay: 30 });
    await page.waitForFunction((count) => globalThis.picturesToFlap!.length > count, i);
  }
  const pictures = await page.evaluate(() => globalThis.picturesToFlap!);
  assertEquals(pictures.length, KEYS);
  assert(await page.evaluate(() => wyvern!.roundTripMs) >= 200);
  // A busy machine that drops a picture may cost a key or two, not all of them.
  const slow = pictures.filter((count) => count > PICTURES_MAX);
  assertLessOrEqual(slow.length, 2, `pictures from key to flap: ${pictures}`);
});

/** What `watchPaths` counts. */
interface Paths {
  pictures: number;
  /** Of these, the ones whose step of the own dragon was judged. */
  judged: number;
  /** Farthest that the own dragon's picture went beyond what its speed explains, metres. */
  ownStepMax: number;
  /** By seat: how often a path turned back for a single picture. */
  reversals: Record<number, number>;
  flaps: number;
}

/** A pixel of this page: 1280 of them show 32 m. What is smaller is no motion that an eye sees. */
const SEEN_METRES = 0.025;

/** Looks at every picture from inside the page. */
function watchPaths(seen: number): void {
  const paths: Paths = globalThis.paths = { pictures: 0, judged: 0, ownStepMax: 0, reversals: {}, flaps: 0 };
  interface Trail {
    x: number;
    y: number;
    speed: number;
    jumps: number;
    steps: [number, number][];
  }
  const trails = new Map<number, Trail>();
  let atMs = performance.now();
  const look = () => {
    const { atMs: nowMs } = wyvernScene!;
    const seconds = Math.max(0, nowMs - atMs) / 1000;
    atMs = nowMs;
    paths.pictures++;
    const poses = wyvern!.poses.head;
    for (const { id, seat, own, x, y, vx, vy } of wyvernScene!.dragons) {
      // Before a blow or a landing it flew on, after it not: either explains a step.
      const head = wyvern!.simulation!.dragonOfSeat(seat)!;
      const speed = Math.max(Math.hypot(vx, vy), Math.hypot(head.vx, head.vy)),
        jumps = poses.of(id)?.jumps ?? 0,
        before = trails.get(id);
      const trail: Trail = { x, y, speed, jumps, steps: [] };
      trails.set(id, trail);
      if (before === undefined || before.jumps !== jumps) continue;
      const step: [number, number] = [x - before.x, y - before.y];
      if (own) {
        // A picture so late is the machine's own stutter: what was between is not on the page to be judged.
        if (seconds > 0.034) continue;
        paths.judged++;
        const beyond = Math.hypot(...step) - Math.max(speed, before.speed) * seconds;
        paths.ownStepMax = Math.max(paths.ownStepMax, beyond);
        continue;
      }
      trail.steps = [...before.steps, step].slice(-3);
      if (trail.steps.length < 3 || trail.steps.some((s) => Math.hypot(...s) < seen)) continue;
      const [a, b, c] = trail.steps as [[number, number], [number, number], [number, number]];
      const against = (p: [number, number], q: [number, number]) => p[0] * q[0] + p[1] * q[1] < 0;
      if (against(a, b) && against(b, c)) paths.reversals[seat] = (paths.reversals[seat] ?? 0) + 1;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A bot at the keyboard: real key events at random moments, from a seed. Runs inside the page. */
function mashKeys(): void {
  let state = 12345;
  const chance = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const key = (type: string, code: string) => dispatchEvent(new KeyboardEvent(type, { code, cancelable: true }));
  let side = "ArrowLeft";
  const act = () => {
    const own = wyvernScene!.dragons.find((dragon) => dragon.own);
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

/** Ends a process that would go on, and lets its output go. */
async function end(task: Deno.ChildProcess): Promise<void> {
  try {
    task.kill();
  } catch {
    // It has ended by itself.
  }
  await Promise.all([task.status, task.stdout.cancel(), task.stderr.cancel()]);
}

const SECONDS = 60;
const STEP_METRES_MAX = 0.12;
/** Two rivals and four NPCs; hatchlings come and go. */
const OTHERS_MIN = 6;

browserTest("page: 60 s at 100 ms and jitter 20: own path without steps, others' without shivers", async (browser) => {
  await using server = await ServerProcess.start("--seed", "11", "--npcs", "4");
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await play(page, `${server.url}play?debug#PATH`);
  // By the page's own sliders, and the overlay is closed again.
  await page.fill("#line-rtt", "100");
  await page.fill("#line-jitter", "20");
  await page.waitForFunction(() => wyvern!.roundTripMs > 100);
  await page.click("#debug-close");
  // People whose commands nobody knows ahead: every one of them makes mispredictions.
  const rivals = ["--room", "PATH", "--clients", "2", "--latency-ms", "60", "--jitter-ms", "10"];
  const task = await spawnTask(
    "bots",
    "--url",
    server.url.replace("http", "ws"),
    ...rivals,
    "--seconds",
    String(SECONDS + 30),
  );
  await using _ended = { [Symbol.asyncDispose]: () => end(task) };
  await page.waitForFunction(() => [...wyvern!.names.keys()].filter((seat) => seat < 16).length === 3);
  await page.evaluate(mashKeys);
  await page.waitForTimeout(5000); // the lead has found its place
  const before = await page.evaluate(() => ({ ...wyvern!.counts }));
  await page.evaluate(watchPaths, SEEN_METRES);
  await page.waitForTimeout(SECONDS * 500);
  await shoot(page, "feel.png");
  await page.waitForTimeout(SECONDS * 500);
  const { paths, counts } = await page.evaluate(() => ({ paths: globalThis.paths!, counts: { ...wyvern!.counts } }));
  const reversals = Object.values(paths.reversals).reduce((sum, count) => sum + count, 0);
  console.log(
    `${paths.pictures} pictures, ${paths.judged} judged, own step ${
      (100 * paths.ownStepMax).toFixed(1)
    } cm beyond its speed, ` +
      `reversals by seat ${JSON.stringify(paths.reversals)}, ` +
      `${counts.rollbacks - before.rollbacks} rollbacks, ${counts.commandsLate - before.commandsLate} late`,
  );
  assertGreater(counts.rollbacks - before.rollbacks, 10);
  assertGreater(paths.flaps, 50);
  assertGreater(paths.judged, SECONDS * 10);
  assertEquals(counts.desyncs, 0);
  assertLessOrEqual(paths.ownStepMax, STEP_METRES_MAX);
  // Once a minute and dragon, in the mean: late pictures make some of their own. Each by itself is the lab's to judge.
  assertLessOrEqual(reversals, OTHERS_MIN * SECONDS / 60, "reversals of other dragons");
  assertEquals(faults, []);
});
