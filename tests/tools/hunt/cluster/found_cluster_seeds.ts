/**
 * Schedules that have found mistakes in the cluster. Each has passed since its mistake was mended.
 */
import type { FoundSeed } from "../found_seeds.ts";

export const FOUND_CLUSTER_SEEDS: readonly FoundSeed[] = [
  {
    found:
      "an owner that was cut off welcomed a player with a token that the next owner did not know",
    schedule: {
      seed: 92,
      game: "counter",
      seconds: 60,
      faults: [
        { atMs: 32000, kind: "partition", who: 0, ms: 5908, draw: 2213487279 },
        { atMs: 35744, kind: "cut line of a player", who: 0, ms: 5698, draw: 2111301005 },
      ],
    },
  },
  {
    found:
      "an owner that came back from a cut heard that there is no leader, and sent ticks, though another had the match",
    schedule: {
      seed: 93,
      game: "counter",
      seconds: 120,
      faults: [
        { atMs: 109945, kind: "partition", who: 1, ms: 5403, draw: 3315617721 },
        { atMs: 110706, kind: "cut line of a player", who: 1, ms: 2072, draw: 2266109015 },
        { atMs: 115165, kind: "no leader", who: 1, ms: 835, draw: 2947049397 },
      ],
    },
  },
  {
    found: "a take-over that found no leader was tried again after ten seconds only",
    schedule: {
      seed: 158,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 73438, kind: "node stop", who: 2, ms: 6303, draw: 1355920362 },
        { atMs: 77188, kind: "lost acknowledgement", who: 2, ms: 5417, draw: 1382291997 },
        { atMs: 77831, kind: "node stop", who: 3, ms: 4261, draw: 4038944328 },
        { atMs: 79928, kind: "no leader", who: 2, ms: 4024, draw: 72147946 },
      ],
    },
  },
  {
    found:
      "commands that a node had taken before it handed the match over were in no tick, and a replay went another way",
    schedule: {
      seed: 16,
      game: "dragons",
      seconds: 30,
      faults: [{ atMs: 9245, kind: "node stop", who: 0, ms: 254, draw: 1176965013 }],
    },
  },
  {
    found:
      "a node that had stalled took a match that it was asked to take seconds before, from its next owner",
    schedule: {
      seed: 3580,
      game: "counter",
      seconds: 150,
      faults: [
        { atMs: 100108, kind: "node crash", who: 0, ms: 2207, draw: 638331718 },
        { atMs: 123162, kind: "node pause", who: 1, ms: 5270, draw: 2105387966 },
        { atMs: 123380, kind: "node stop", who: 1, ms: 2452, draw: 2714806237 },
        { atMs: 127442, kind: "slow log", who: 1, ms: 3466, draw: 505211468 },
      ],
    },
  },
  {
    found: "a player came in while the end of the room's match was on its way, and the node threw",
    schedule: {
      seed: 2,
      game: "counter",
      seconds: 30,
      faults: [{ atMs: 2000, kind: "all players leave", who: 1, ms: 2725, draw: 1040127669 }],
    },
  },
  {
    found:
      "a node set a match aside while another one fenced it, and the room stayed closed for ever",
    schedule: {
      seed: 7,
      game: "counter",
      seconds: 120,
      faults: [
        { atMs: 6072, kind: "busy machine", who: 1, ms: 5759, draw: 1761920931 },
        { atMs: 8093, kind: "trial that hangs", who: 2, ms: 2227, draw: 3292720784 },
        { atMs: 17657, kind: "two takers", who: 0, ms: 6385, draw: 2885907700 },
        { atMs: 35754, kind: "all players leave", who: 2, ms: 779, draw: 331528380 },
        { atMs: 69168, kind: "node pause", who: 1, ms: 1528, draw: 1386163157 },
        { atMs: 75237, kind: "node crash", who: 1, ms: 968, draw: 2363164759 },
        { atMs: 77174, kind: "busy machine", who: 1, ms: 5592, draw: 3748731544 },
        { atMs: 100984, kind: "trial that hangs", who: 0, ms: 2027, draw: 1615719382 },
        { atMs: 101240, kind: "short pauses of a node", who: 0, ms: 1352, draw: 319207333 },
        { atMs: 105296, kind: "node pause", who: 1, ms: 939, draw: 790687835 },
      ],
    },
  },
  {
    found:
      "the hunt's own bound: a trial whose node is killed or silenced under it counts apart (SPEC 17.195)",
    schedule: {
      seed: 60,
      game: "counter",
      seconds: 30,
      faults: [
        { atMs: 2000, kind: "node stop", who: 2, ms: 1755, draw: 381118943 },
        { atMs: 4969, kind: "node stop", who: 2, ms: 2197, draw: 1053129516 },
        { atMs: 5290, kind: "node crash", who: 1, ms: 6654, draw: 2308218214 },
        { atMs: 5895, kind: "trial that hangs", who: 2, ms: 2490, draw: 1610392922 },
        { atMs: 10182, kind: "node stop", who: 0, ms: 5449, draw: 1537713816 },
        { atMs: 12860, kind: "node crash", who: 2, ms: 4683, draw: 1676565661 },
        { atMs: 13008, kind: "lost acknowledgement", who: 0, ms: 5986, draw: 2682886206 },
        { atMs: 17059, kind: "node crash", who: 2, ms: 2447, draw: 4163108099 },
      ],
    },
  },
  {
    found:
      "a trial that hung set a match aside for another one of more than a minute of play before",
    schedule: {
      seed: 170,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 5000, kind: "trial that hangs", who: 0, ms: 1000, draw: 1 },
        { atMs: 80000, kind: "trial that hangs", who: 0, ms: 1000, draw: 1 },
      ],
    },
  },
  {
    found:
      "a node that stalled, ran for a moment and stalled again had sent a record and no beat between",
    schedule: {
      seed: 201,
      game: "counter",
      seconds: 90,
      faults: [
        { atMs: 52751, kind: "node crash", who: 0, ms: 3249, draw: 1881866619 },
        { atMs: 55674, kind: "two takers", who: 3, ms: 326, draw: 2261853446 },
        { atMs: 62000, kind: "busy machine", who: 3, ms: 1961, draw: 2751395013 },
        { atMs: 69922, kind: "two takers of a paused node", who: 0, ms: 6831, draw: 2962783232 },
        { atMs: 70926, kind: "no leader", who: 0, ms: 558, draw: 3257022309 },
        { atMs: 72945, kind: "node stop", who: 2, ms: 4838, draw: 3967424255 },
        { atMs: 77736, kind: "busy machine", who: 1, ms: 1026, draw: 1279872633 },
        { atMs: 79104, kind: "no leader", who: 2, ms: 6869, draw: 3623497630 },
      ],
    },
  },
  {
    found:
      "a node that woke with an old log of a match open took the match again, and never tried it a second time",
    schedule: {
      seed: 343,
      game: "counter",
      seconds: 30,
      faults: [
        { atMs: 6035, kind: "node stop", who: 1, ms: 1287, draw: 1094615606 },
        { atMs: 15365, kind: "partition", who: 0, ms: 4018, draw: 3268006485 },
        { atMs: 16842, kind: "node pause", who: 1, ms: 1407, draw: 2103055388 },
        { atMs: 18402, kind: "trial that hangs", who: 0, ms: 367, draw: 850784492 },
      ],
    },
  },
  {
    found:
      "a node that had set the room's previous match aside sent a player of the next one away for good",
    schedule: {
      seed: 755,
      game: "counter",
      seconds: 180,
      faults: [
        { atMs: 130706, kind: "trial that hangs", who: 0, ms: 155, draw: 3949453736 },
        { atMs: 157233, kind: "node stop", who: 2, ms: 6971, draw: 2936052665 },
        {
          atMs: 157329,
          kind: "two takers of a paused node",
          who: 2,
          ms: 4875,
          draw: 4190338385,
        },
      ],
    },
  },
  {
    found:
      "a node whose trial of a match had failed took an old claim of its own to the room for the match, and never tried it again",
    schedule: {
      seed: 703,
      game: "counter",
      seconds: 150,
      faults: [
        { atMs: 2000, kind: "slow log", who: 1, ms: 1459, draw: 144596234 },
        { atMs: 7771, kind: "trial that hangs", who: 2, ms: 857, draw: 48462702 },
        { atMs: 7852, kind: "node crash", who: 2, ms: 6476, draw: 2297871814 },
        { atMs: 8016, kind: "node pause", who: 2, ms: 4982, draw: 3541690010 },
        { atMs: 12203, kind: "no leader", who: 0, ms: 5545, draw: 3564148933 },
        { atMs: 16827, kind: "two takers of a paused node", who: 2, ms: 5136, draw: 200672528 },
        { atMs: 17750, kind: "all players leave", who: 0, ms: 881, draw: 203812396 },
        { atMs: 18910, kind: "slow log", who: 0, ms: 3040, draw: 2068470192 },
        { atMs: 19721, kind: "lost acknowledgement", who: 2, ms: 1901, draw: 2148659563 },
        { atMs: 32000, kind: "no leader", who: 1, ms: 1019, draw: 3014306677 },
        { atMs: 32191, kind: "node crash", who: 1, ms: 1975, draw: 1846341090 },
        { atMs: 37143, kind: "node pause", who: 2, ms: 6107, draw: 1441108134 },
        { atMs: 99285, kind: "two takers", who: 1, ms: 2178, draw: 2509576621 },
        { atMs: 115449, kind: "cut line of a player", who: 2, ms: 551, draw: 676929408 },
        { atMs: 122000, kind: "slow log", who: 2, ms: 4869, draw: 2921713101 },
        { atMs: 122288, kind: "node crash", who: 0, ms: 6244, draw: 3707680086 },
        { atMs: 122580, kind: "trial that hangs", who: 0, ms: 781, draw: 4160671440 },
        { atMs: 126825, kind: "two takers", who: 1, ms: 4602, draw: 333161193 },
        { atMs: 137442, kind: "trial that hangs", who: 1, ms: 4376, draw: 529634233 },
      ],
    },
  },
];
