/** Plays seeds on a core of its own: each message is a seed, and each answer is its result. */
import { playSeed, type SeedToPlay } from "./play_seed.ts";

self.addEventListener("message", async ({ data }: MessageEvent<SeedToPlay>) => {
  (self as unknown as Worker).postMessage(await playSeed(data));
});
