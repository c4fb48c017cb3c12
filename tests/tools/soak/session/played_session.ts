/**
 * Plays the dragons in a real page, by keys, on a real server, and gives the log of the match. The
 * hands are those of a beginner: they fly at the nearest rival, come down on them, and breathe fire
 * now and then.
 */
import type { Page } from "playwright-core";
import { launchChromium } from "../../../browser/chromium.ts";
import { untilPlaying } from "../../../browser/duel.ts";
import "../../../browser/pages/page_globals.ts";
import { TemporaryData } from "../../../support/logs/temporary_data.ts";
import { ServerProcess } from "../../../support/servers/server_process.ts";

export interface SessionOptions {
  readonly seconds: number;
  readonly roundTripMs: number;
  /** Standard deviation in each direction, ms; by default 0. */
  readonly jitterMs?: number;
  readonly npcs: number;
  readonly seed: number;
  /** Called with each second of play. */
  readonly onSecond?: (second: number) => void;
}

export interface PlayedSession {
  readonly log: Uint8Array;
  /** Ticks in which the page differed from the server. */
  readonly desyncs: number;
  readonly rollbacks: number;
  readonly keys: number;
  /** Errors of the page. */
  readonly errors: readonly string[];
}

/** How often the hands decide, ms: ten times a second, as fast as a beginner presses keys. */
const LOOK_MS = 100;

/** @throws Error without Chromium, or if the server does not start */
export async function playSession(options: SessionOptions): Promise<PlayedSession> {
  const { seconds, roundTripMs, jitterMs = 0, npcs, seed, onSecond } = options;
  using data = await TemporaryData.make();
  const browser = await launchChromium();
  const errors: string[] = [];
  let keys = 0;
  let found = { desyncs: 0, rollbacks: 0 };
  try {
    await using server = await ServerProcess.start(
      "--data",
      data.folder,
      "--npcs",
      String(npcs),
      "--seed",
      String(seed),
    );
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(`${server.url}play?rtt=${roundTripMs}&jitter=${jitterMs}#LONG`);
    await page.click("#play");
    await untilPlaying(page);

    const hands = new Hands(page);
    const untilTick = await page.evaluate(() => wyvern!.definitiveTick) + 20 * seconds;
    let second = -1;
    for (;;) {
      const tick = await page.evaluate(() => wyvern!.definitiveTick);
      if (tick >= untilTick) break;
      const now = seconds - Math.ceil((untilTick - tick) / 20);
      if (now !== second) onSecond?.(second = now);
      await hands.play();
      await page.waitForTimeout(LOOK_MS);
    }
    keys = hands.keys;
    found = await page.evaluate(() => {
      const { desyncs, rollbacks } = wyvern!.stats;
      return { desyncs, rollbacks };
    });
    await page.close();
  } finally {
    await browser.close();
  }
  const { name } = [...Deno.readDirSync(data.folder)].find(({ name }) =>
    /-LONG-.*\.(log|open)$/.test(name)
  )!;
  return { log: Deno.readFileSync(`${data.folder}/${name}`), ...found, keys, errors };
}

/** What the hands do next. */
interface Decision {
  readonly steer: "ArrowLeft" | "ArrowRight" | undefined;
  readonly flap: boolean;
  readonly fire: boolean;
}

class Hands {
  readonly #page: Page;
  #held: Decision["steer"];
  /** Pressed keys so far. */
  keys = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Looks once, and presses what it decides. */
  async play(): Promise<void> {
    const { keyboard } = this.#page;
    const { steer, flap, fire } = await this.#page.evaluate(decide);
    if (steer !== this.#held) {
      if (this.#held !== undefined) await keyboard.up(this.#held);
      if (steer !== undefined) await keyboard.down(steer);
      this.#held = steer;
      this.keys++;
    }
    for (const key of [...flap ? ["Space"] : [], ...fire ? ["KeyF"] : []]) {
      await keyboard.press(key);
      this.keys++;
    }
  }
}

/** Decides for the present frame. Runs in the page. */
function decide(): Decision {
  const { world } = wyvern!.simulation!;
  const me = world.player(wyvern!.seat);
  if (me === undefined || world.match.phase === "result") {
    return { steer: undefined, flap: true, fire: false };
  }
  const rivals = world.all("dragon").filter(({ id, fields }) => id !== me.id && fields.dead === 0);
  const prizes = [...world.all("egg"), ...rivals];
  const distance = ({ x, y }: { readonly x: number; readonly y: number }) =>
    Math.hypot(x - me.x, y - me.y);
  const target = prizes.sort((a, b) => distance(a) - distance(b))[0];
  if (target === undefined) return { steer: undefined, flap: me.vy < -2, fire: false };

  const away = target.x - me.x;
  const isDragon = target.name === "dragon";
  const height = target.y + (isDragon ? 1 : 0);
  // Lava and walls of the storm are below and at the sides: stay up and in the middle.
  return {
    steer: Math.abs(away) < 0.3 ? undefined : away < 0 ? "ArrowLeft" : "ArrowRight",
    flap: (me.y < height && me.vy < 2) || me.y < 2.5,
    fire: isDragon && Math.abs(away) < 6 && Math.abs(target.y - me.y) < 1,
  };
}
