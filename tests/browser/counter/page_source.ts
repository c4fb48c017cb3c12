/** The counter game's page for the build. */
import { fileURLToPath } from "node:url";
import type { PageSource } from "../../../client/build/page_source.ts";

export const counterPage: PageSource = {
  entry: fileURLToPath(new URL("main.ts", import.meta.url)),
  icon: new URL("icon.svg", import.meta.url),
  replayWorker: fileURLToPath(new URL("replay_worker.ts", import.meta.url)),
  plugins: [],
  texts: {
    title: "Counter",
    description: "Press and drift.",
    arena: "The line on which dots drift",
    heading: "Counter",
    pitch: "Press Space:",
    point: "presses count.",
    ownBody: "Your dot",
    noRooms: "Nobody is counting now.",
    rules: ["Each press counts one point."],
    oneButton: "One button",
    devices: "A gamepad works as it is.",
  },
};
