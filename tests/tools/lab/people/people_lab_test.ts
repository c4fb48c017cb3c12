import { assertEquals, assertGreater, assertLess } from "@std/assert";
import type { KitFrame } from "../../../../client/game_kit/kit_frame.ts";
import { ErrorSmoother } from "../../../../client/presentation/error_smoother.ts";
import { FITTED, JUDGING } from "../../../../client/lab/people/dragons/styles.ts";
import { comparePeople } from "./people_comparison.ts";
import { feltFiguresOf, type PeopleMatchOptions, playPeople } from "./people_row.ts";
import { type ClientPolicy, delayedClient, pageClient } from "./replay.ts";

const MATCH: PeopleMatchOptions = {
  profile: "far",
  link: "ordered",
  styles: FITTED,
  players: 6,
  npcs: 0,
  seconds: 12,
  correlated: false,
  seed: 71,
};

let played: ReturnType<typeof playPeople> | undefined;
/** The match of seed 71, which two tests replay. */
const matchOf71 = () => played ??= playPeople(MATCH);

/**
 * The page's client, except that it draws every dragon where it is simulated, as if corrections
 * were not eased.
 */
const uneasedClient: ClientPolicy = (options) => {
  const client = pageClient(options);
  const composeFrame = client.composeFrame.bind(client);
  client.composeFrame = (): KitFrame | undefined => {
    const scene = composeFrame();
    const { poses, fraction } = client.frameParts ?? {};
    for (const sprite of scene?.things ?? []) {
      const pose = poses?.head.find(sprite.id);
      if (pose !== undefined) {
        new ErrorSmoother().place(poses!, pose, { fraction: fraction!, out: sprite });
      }
    }
    return scene;
  };
  return client;
};

Deno.test("Lab: two clients see the same recorded match, and only their policy differs [seed 71]", () => {
  const people = matchOf71();
  const { seconds } = MATCH;
  const page = feltFiguresOf(people, { seconds });
  const uneased = feltFiguresOf(people, { seconds, client: uneasedClient });

  // A match without deaths, near rivals and errors would compare nothing.
  assertGreater(page.deaths, 3);
  assertGreater(page.markFrames, 30);
  assertGreater(page.remoteErrorM, 0.1);
  assertGreater(page.drawnMinusSimulatedP95M, 0.8);
  assertGreater(page.popMeter, 2);
  assertEquals([page.falseDeathsPerMinute, page.ownFalseDeaths], [0, 0]);
  assertEquals([uneased.drawnMinusSimulatedMaxM, uneased.remoteErrorM], [0, page.remoteErrorM]);
  assertEquals(uneased.deaths, page.deaths);
  assertGreater(uneased.popMeter, 1.2 * page.popMeter);
  assertGreater(uneased.stepsOver1M, 2 * page.stepsOver1M);

  // Simulated places are sometimes inside the ground, but no deeper than an exact dragon that
  // lands.
  assertEquals(uneased.belowGroundFrames, 0);
});

Deno.test("Lab: with each tick of input delay people see less wrong, of the same match and of one that they play with it [seed 74]", () => {
  const { seconds } = MATCH;
  const people = playPeople({ ...MATCH, seed: 74 });
  let before = feltFiguresOf(people, { seconds });
  for (const ticks of [1, 2, 3] as const) {
    const delayed = feltFiguresOf(people, { seconds, client: delayedClient(ticks) });
    assertLess(delayed.popMeter, 0.95 * before.popMeter);
    assertLess(delayed.drawnMinusSimulatedP95M, before.drawnMinusSimulatedP95M - 0.1);
    assertLess(delayed.remoteErrorM, 0.85 * before.remoteErrorM);
    assertLess(delayed.ownCorrectionsOver5cmPerMinute, before.ownCorrectionsOver5cmPerMinute);
    assertEquals(delayed.deaths, before.deaths);
    before = delayed;
  }
  const played = playPeople({ ...MATCH, seed: 73, inputDelay: 3 });
  const figures = feltFiguresOf(played, { seconds, client: delayedClient(3) });
  assertGreater(figures.deaths, 3);
  assertLess(figures.remoteErrorM, 0.6 * feltFiguresOf(played, { seconds }).remoteErrorM);
});

Deno.test("Lab: the same seed gives people the same figures, and a better line gives better ones [seed 72]", () => {
  const options = { ...MATCH, styles: JUDGING, players: 4, seconds: 8, seed: 72 };
  const figures = (more: Partial<PeopleMatchOptions>) =>
    feltFiguresOf(playPeople({ ...options, ...more }), { seconds: options.seconds });
  const far = figures({});
  assertEquals(figures({}), far);

  for (const link of ["ordered", "datagram"] as const) {
    const lan = figures({ profile: "lan", link });
    assertLess(lan.drawnMinusSimulatedP95M, 0.5 * far.drawnMinusSimulatedP95M);
    assertLess(lan.popMeter, 0.5 * far.popMeter);
    assertLess(lan.remoteErrorM, 0.3 * far.remoteErrorM);
    // If a replay used other commands than the recorded ones, it would correct the own dragon at
    // every flap.
    assertLess(lan.ownCorrectionsOver5cmPerMinute, 15);
    // Marks and deaths are nearly right if hardly anything is predicted.
    assertGreater(lan.markFrames, 15);
    assertLess(lan.markWrongShare, 0.15);
    assertEquals(lan.falseDeathsPerMinute, 0);
  }
});

Deno.test("Lab: over a long line the page predicts every style of people better than the client that assumed [seed 71]", () => {
  const people = matchOf71();
  const { seconds } = MATCH;
  const { remoteErrorToBefore, popMeterToBefore, remoteErrorToBeforeByStyle } = comparePeople(
    people,
    {
      styles: FITTED,
      seconds,
    },
  );
  assertLess(remoteErrorToBefore, 0.85);
  assertLess(popMeterToBefore, 0.95);
  assertEquals(Object.keys(remoteErrorToBeforeByStyle).sort(), [
    "collector",
    "gunner",
    "runner",
    "swooper",
  ]);
  for (const [style, ratio] of Object.entries(remoteErrorToBeforeByStyle)) {
    assertLess(ratio, 1, style);
  }
});
