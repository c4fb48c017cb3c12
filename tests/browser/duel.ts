/**
 * A dragon that is easy to kill, and the input that kills it, for tests of some input device. The
 * prey has a seat. It sends one command and then nothing, so on a server with `--idle 0` its dragon
 * stays where it spawned.
 */
import { NEUTRAL } from "../support/dragons.ts";
import { assertLess } from "@std/assert";
import type { Page } from "playwright-core";
import type { Arena } from "../../shared/games/dragons/arena.ts";
import { LEDGES } from "../../shared/games/dragons/arenas/ledges.ts";
import { JOUST_SCORE } from "../../shared/games/dragons/tuning.ts";
import { Stranger } from "../support/sockets/stranger.ts";
import "./pages/page_globals.ts";

/**
 * Joins as the prey.
 * @returns its connection and its seat, once the seat is in the game or about to be
 */
export async function placePrey(
  port: number,
  room: string,
): Promise<{ prey: Stranger; seat: number }> {
  const prey = await Stranger.join(port, { room, name: "Prey" });
  const { tick } = prey;
  prey.send({
    type: "command",
    tick: tick + 5,
    command: NEUTRAL,
    leadMs: 200,
    received: tick,
    isDesynced: false,
  });
  return { prey, seat: prey.welcome!.seat! };
}

/** The most decisions in one duel; a duel takes a few hundred. */
export const LOOKS_MAX = 5000;

/** One decision of a duel. */
export interface DuelInput {
  readonly dir: -1 | 0 | 1;
  readonly flap: boolean;
}

/**
 * Decides the input for the present frame: fly over crates on the way, round a ledge overhead, then
 * slightly above the prey, and down on it. Runs inside the page.
 */
export function decideInput({ prey, arena }: { prey: number; arena: Arena }): DuelInput {
  const simulation = wyvern!.simulation!;
  const me = simulation.world.player(wyvern!.seat);
  const it = simulation.world.player(prey);
  if (me === undefined || it === undefined) return { dir: 0, flap: false };
  const { width: arenaWidth, platforms } = arena;
  const middle = arenaWidth / 2;
  const cratesBetween = (me.x - middle) * (it.x - middle) < 0 && Math.abs(me.x - middle) < 7;
  const height = cratesBetween ? 7 : it.y + 1.3;
  const roof = platforms.find(({ x, y, width }) =>
    y < height && y > me.y - 0.7 && Math.abs(x - me.x) < width / 2 + 0.7
  );
  let away = it.x - me.x;

  if (roof !== undefined) {
    const reach = roof.width / 2 + 1.2;
    const edges = [roof.x - reach, roof.x + reach];
    const free = edges.filter((edge) => edge > 1 && edge < arenaWidth - 1);
    away = free.sort((a, b) => Math.abs(a - me.x) - Math.abs(b - me.x))[0]! - me.x;
  }

  const isAbove = Math.abs(away) < 0.9 && me.y > it.y + 0.4;
  return {
    dir: Math.abs(away) < 0.2 ? 0 : away < 0 ? -1 : 1,
    flap: !isAbove && me.y < height && me.vy < 1,
  };
}

/** Kills the prey on this seat with key presses alone. */
export async function killWithKeys(page: Page, prey: number): Promise<void> {
  const steer = new Map([[-1, "ArrowLeft"], [1, "ArrowRight"]]);
  let held: string | undefined;
  for (let looks = 0; (await dragonFigures(page)).score < JOUST_SCORE; looks++) {
    assertLess(looks, LOOKS_MAX, "no kill");
    const { dir, flap } = await page.evaluate(decideInput, { prey, arena: LEDGES });
    const key = steer.get(dir);
    if (key !== held && held !== undefined) await page.keyboard.up(held);
    if (key !== held && key !== undefined) await page.keyboard.down(key);
    held = key;
    if (flap) await page.keyboard.press("Space");
  }
  if (held !== undefined) await page.keyboard.up(held);
}

/** Waits until the own dragon is in the arena and the client is in sync. */
export async function untilPlaying(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const session = globalThis.wyvern;
    return session?.phase === "playing" && session.isInSync &&
      session.simulation?.world.player(session.seat) !== undefined;
  });
}

/** The score and the flaps of the own dragon, and the round. */
export function dragonFigures(
  page: Page,
): Promise<{ score: number; flaps: number; round: number }> {
  return page.evaluate(() => {
    const { simulation, seat } = wyvern!;
    const { score, flapPresses } = simulation!.world.player(seat)!.fields;
    return { score, flaps: flapPresses, round: simulation!.world.match.round };
  });
}
