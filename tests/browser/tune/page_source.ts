/** The hill's page for the build. */
import type { PageSource } from "../../../client/build/page_source.ts";
import { counterPage } from "../counter/page_source.ts";

const GAME = new URL("../../shared/game_kit/tune/hill_game.ts", import.meta.url);

export const hillPage: PageSource = {
  ...counterPage,
  name: "hill",
  game: GAME,
  replayGame: GAME,
  view: new URL("view.ts", import.meta.url),
  texts: { ...counterPage.texts, title: "Hill", name: "Hill", heading: "Hill" },
};
