/**
 * The script of `bench feel` inside the real page, which itself is not changed. A rider looks at
 * the scenes that the page draws, and presses real keys. The recorder looks at the same scenes.
 */
import type { NetworkConditions } from "../../../../client/net/network_conditions.ts";
import { FLAP, playAtPage } from "../../people/page_person.ts";
import { Rider } from "../../../../client/lab/people/dragons/rider.ts";
import { FITTED } from "../../../../client/lab/people/dragons/styles.ts";
import { type FeelFigures, figuresOf } from "./figures.ts";
import { FeelRecorder, type FeltMatch } from "./recorder.ts";

declare global {
  var wyvernMatch: FeltMatch | undefined;
  var wyvernConditions: NetworkConditions;
  var feel: {
    /** Puts a person in front of the page. */
    readonly play: () => void;
    /** How many people's dragons are in the arena. */
    readonly people: () => number;
    readonly record: () => void;
    /** How many recorded keys have shown an effect. */
    readonly shownKeys: () => number;
    readonly figures: () => FeelFigures;
  };
}

/** The person at this page. */
const rider = new Rider(FITTED[0]!, 1);
let recorder: FeelRecorder | undefined;

/** Plays until the page closes. */
function play(): void {
  addEventListener("keydown", ({ code }) => {
    if (code === FLAP) recorder?.onFlapKey();
  });
  playAtPage(rider, { onFrame: (scene) => recorder?.onFrame(scene) });
}

globalThis.feel = {
  play,
  people: () =>
    globalThis.wyvernScene?.things
      .filter(({ name, npc }) => name === "dragon" && !npc).length ?? 0,
  record: () => recorder = new FeelRecorder(wyvernMatch!),
  shownKeys: () => recorder!.recording.keys.length,
  figures: () => figuresOf(recorder!.recording),
};
