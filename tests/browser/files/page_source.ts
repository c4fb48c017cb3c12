/** The cave's page for the build. */
import type { PageSource } from "../../../client/build/page_source.ts";
import { counterPage } from "../counter/page_source.ts";

const GAME = new URL("game.ts", import.meta.url);

export const cavePage: PageSource = {
  ...counterPage,
  name: "cave",
  game: GAME,
  replayGame: GAME,
  view: new URL("view.ts", import.meta.url),
  texts: { ...counterPage.texts, title: "Cave", name: "Cave", heading: "Cave" },
};
