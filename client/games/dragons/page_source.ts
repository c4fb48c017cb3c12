/** The dragon game's page for the build. */
import { fileURLToPath } from "node:url";
import type { PageSource } from "../../build/page_source.ts";
import { stripNpcPolicy } from "./strip_npc_policy.ts";

export const dragonPage: PageSource = {
  entry: fileURLToPath(new URL("../../main.ts", import.meta.url)),
  icon: new URL("icon.svg", import.meta.url),
  replayWorker: fileURLToPath(new URL("../../replay_worker.ts", import.meta.url)),
  plugins: [stripNpcPolicy],
  texts: {
    title: "Wyvern: joust on dragons",
    description: "Joust on dragons in the browser: the higher lance wins.",
    arena: "The arena, where dragons joust",
    heading: "Wyvern",
    pitch: "Flap up, come down on a rival:",
    point: "the higher lance wins.",
    ownBody: "Your dragon",
    noRooms: "Nobody is playing now. Press Play now, and computer dragons fly with you.",
    rules: [
      "Touch a rival with your lance higher than his: 2 points. Level lances only clash.",
      "His rider is an egg now: 1 point to whoever touches it, 2 in the air. Left alone, it hatches.",
      "Your fire knocks a rider off, too: 1 point. The flames under you are what you have; one is back in 2 seconds.",
    ],
    oneButton: "One button: tap to flap, hold to turn round, hold longer to breathe fire",
    devices: "A gamepad works as it is: stick or cross to fly, the lower button to flap, the left one for fire. " +
      "On a touch screen the left thumb flies, the right one flaps.",
  },
};
