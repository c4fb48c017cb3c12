/** Five steps through the lab: a sentence each, and what the page shows for it. */
import type { LabSettings, TimedAction } from "../engine/settings.ts";

export interface GuideStep {
  readonly title: string;
  readonly sentence: string;
  readonly settings: Partial<LabSettings>;
  /** What happens by itself. */
  readonly actions?: readonly TimedAction[];
}

export const GUIDE: readonly GuideStep[] = [
  {
    title: "Waiting",
    sentence:
      "Left, a key has to travel to the server and back, 200 ms and more, before you see it act; " +
      "right, the page predicts, and you see it at once.",
    settings: { sides: ["echo", "early"], roundTripMs: 200, jitterMs: 10, lossPercent: 1 },
  },
  {
    title: "Two times at once",
    sentence: "Most engines predict only your own body, so the others stand where they were: the " +
      "dashed outlines show where they really are when your key counts.",
    settings: { sides: ["own-body", "early"], roundTripMs: 200, jitterMs: 10, lossPercent: 1 },
  },
  {
    title: "The same bits",
    sentence:
      "Right, the physics gives the same bits on every machine, so the server sends keys and a " +
      "hash instead of bodies, and each green chip is a tick that is proven equal.",
    settings: { sides: ["assumed", "exact"], roundTripMs: 200, jitterMs: 10, lossPercent: 1 },
  },
  {
    title: "Going back",
    sentence:
      "A key that nobody foresaw makes the future wrong: the orange band is time that is stepped " +
      "again, and right, good guesses make that rarer.",
    settings: { sides: ["exact", "early"], roundTripMs: 200, jitterMs: 10, lossPercent: 1 },
  },
  {
    title: "One wrong bit",
    sentence: "Now one bit of a position is flipped: the next hash differs, the page names the " +
      "number, takes the server's state, and the chips are green again.",
    settings: { sides: ["assumed", "early"], roundTripMs: 200, jitterMs: 10, lossPercent: 0 },
    actions: [{ atMs: 6000, action: { type: "break" } }],
  },
];
