/** The counter game's page for the build. */
import type { PageSource } from "../../../client/build/page_source.ts";

const GAME = new URL("../../tools/lab/counter_game.ts", import.meta.url);

export const counterPage: PageSource = {
  name: "counter",
  game: GAME,
  replayGame: GAME,
  view: new URL("view.ts", import.meta.url),
  icon: await Deno.readTextFile(new URL("icon.svg", import.meta.url)),
  plugins: [],
  texts: {
    title: "Counter",
    name: "Counter",
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
