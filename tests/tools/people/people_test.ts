import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { LEDGES } from "../../../shared/games/dragons/arenas/ledges.ts";
import { Random } from "../../../shared/random.ts";
import { intentionOf } from "../../../client/lab/people/dragons/intention.ts";
import { type Hands, Rider } from "../../../client/lab/people/dragons/rider.ts";
import type { SeenDragon, Sight } from "../../../client/lab/people/dragons/sight.ts";
import { drawMs, meanMsOf } from "../../../client/lab/people/spread.ts";
import { FITTED, JUDGING, type RiderStyle } from "../../../client/lab/people/dragons/styles.ts";

const STYLES = [...FITTED, ...JUDGING];
/** ms between two looks at the keys. */
const STEP_MS = 5;

function dragonAt(x: number, y: number): SeenDragon {
  return { seat: 1, x, y, vx: 0, vy: 0, facing: 1, isPrey: true };
}

function sightWith(own: SeenDragon, ...rivals: SeenDragon[]): Sight {
  return { own: { ...own, seat: 0 }, rivals, eggs: [], phase: "playing", arena: LEDGES };
}

/** Plays one rider over pictures. @returns the keys at each step */
function play(
  rider: Rider,
  { seconds, sightAt }: { seconds: number; sightAt: (nowMs: number) => Sight },
): { atMs: number; hands: Hands }[] {
  return Array.from({ length: seconds * 1000 / STEP_MS }, (_, step) => {
    const atMs = step * STEP_MS;
    rider.see(atMs, sightAt(atMs));
    return { atMs, hands: rider.act(atMs) };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function isAbout(actual: number, expected: number, share: number): boolean {
  return Math.abs(actual - expected) <= share * expected;
}

Deno.test("drawMs: log-normal times have the stated median and mean, and none is negative", () => {
  const random = new Random(1);
  const spread = { medianMs: 200, deviation: 0.3 };
  const draws = Array.from({ length: 20_000 }, () => drawMs(spread, random)).sort((a, b) => a - b);
  assertGreater(draws[0]!, 0);
  assert(isAbout(draws[10_000]!, 200, 0.02));
  assert(isAbout(mean(draws), meanMsOf(spread), 0.02));
  assertGreater(mean(draws), 205);
});

Deno.test("styles: at least four, two of them only judge, and reactions are those of people", () => {
  assertGreater(STYLES.length, 4);
  assertEquals(JUDGING.length, 2);
  assertEquals(new Set(STYLES.map(({ name }) => name)).size, STYLES.length);
  for (const { reaction, cadence } of STYLES) {
    assert(reaction.medianMs >= 180 && reaction.medianMs <= 260);
    assertGreater(cadence.medianMs, 200);
  }
});

for (const style of STYLES) {
  Deno.test(`Rider: a ${style.name} answers a new rival after their reaction time`, () => {
    const own = dragonAt(16, 13);
    const rival = dragonAt(13, 12);
    const appearsMs = 1500;
    const answersMs = Array.from({ length: 400 }, (_, seed) => {
      const keys = play(new Rider({ ...style, pausesPerMinute: 0 }, seed), {
        seconds: 3,
        sightAt: (nowMs) => nowMs < appearsMs ? sightWith(own) : sightWith(own, rival),
      });
      assertEquals(keys.findLast(({ atMs }) => atMs === appearsMs)!.hands.dir, 1);
      return keys.find(({ atMs, hands }) => atMs > appearsMs && hands.dir === -1)!.atMs - appearsMs;
    });
    assert(
      isAbout(mean(answersMs), meanMsOf(style.reaction) + STEP_MS / 2, 0.04),
      `${mean(answersMs)}`,
    );
    assertGreater(Math.min(...answersMs), 100);
  });
}

for (const style of STYLES.filter(({ holdsFlap }) => !holdsFlap)) {
  Deno.test(`Rider: a ${style.name} taps in their cadence while they climb, and pauses now and then`, () => {
    const low = sightWith(dragonAt(16, 2));
    const intervalsMs = (pausesPerMinute: number) => {
      const keys = play(new Rider({ ...style, pausesPerMinute }, 7), {
        seconds: 300,
        sightAt: () => low,
      });
      const taps = keys.filter(({ hands }, i) => i > 0 && hands.flaps > keys[i - 1]!.hands.flaps);
      return taps.slice(1).map(({ atMs }, i) => atMs - taps[i]!.atMs);
    };
    const steady = intervalsMs(0);
    assertGreater(steady.length, 500);
    assert(isAbout(mean(steady), meanMsOf(style.cadence), 0.04), `${mean(steady)}`);
    // An interval in which the rider pauses has the rest of the pause in it.
    const pauses = intervalsMs(10).filter((ms) => ms > Math.max(...steady));
    assertGreater(pauses.length, 5);
    assertLess(pauses.length, 60);
  });
}

Deno.test("Rider: a held flap key comes up when the rider is high enough", () => {
  const charger = STYLES.find(({ holdsFlap }) => holdsFlap)!;
  const keys = play(new Rider({ ...charger, pausesPerMinute: 0 }, 3), {
    seconds: 4,
    sightAt: (nowMs) => sightWith(dragonAt(16, nowMs < 1000 ? 2 : 15)),
  });
  assert(keys.some(({ atMs, hands }) => atMs < 1000 && hands.flapHeld));
  assert(keys.every(({ atMs, hands }) => atMs < 1500 || !hands.flapHeld));
});

Deno.test("Rider: the same seed gives the same hands, another does not", () => {
  const hands = (seed: number) =>
    JSON.stringify(play(new Rider(FITTED[0]!, seed), {
      seconds: 20,
      sightAt: (nowMs) => sightWith(dragonAt(16, 3), dragonAt(16 + 9 * Math.sin(nowMs / 900), 5)),
    }));
  assertEquals(hands(1), hands(1));
  assertEquals(hands(1) === hands(2), false);
});

Deno.test("intentionOf: tempers differ: one perches, one flees, one collects, one fires", () => {
  const named = (name: string): RiderStyle => STYLES.find((style) => style.name === name)!;
  const intend = (name: string, sight: Sight) => intentionOf(sight, sight.own!, 1, named(name));
  const level = sightWith(dragonAt(6, 14), dragonAt(10, 14));
  assertGreater(intend("swooper", level).height, 16);
  assertLess(intend("gunner", level).height, 15);
  assertEquals(intend("gunner", level).fires, true);
  assertEquals(intend("swooper", level).fires, false);
  assertEquals([intend("runner", level).dir, intend("swooper", level).dir], [-1, 1]);
  const withEgg: Sight = { ...level, eggs: [{ x: 2, y: 14 }] };
  assertEquals([intend("collector", withEgg).dir, intend("gunner", withEgg).dir], [-1, 1]);
});

Deno.test("intentionOf: a rider flies around a platform instead of against it", () => {
  // The middle ledge reaches from x = 12 to 20 at a height of 8.6.
  const above = sightWith(dragonAt(15, 6), dragonAt(16, 12));
  const { dir, height } = intentionOf(above, above.own!, 1, STYLES[0]!);
  assertEquals(dir, -1);
  assertLess(height, 8.6);
});
