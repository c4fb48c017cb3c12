/** The yard's page for the build. */
import type { PageSource } from "../../../client/build/page_source.ts";
import { counterPage } from "../counter/page_source.ts";

const GAME = new URL("game.ts", import.meta.url);

export const yardPage: PageSource = {
  ...counterPage,
  name: "yard",
  game: GAME,
  replayGame: GAME,
  view: new URL("view.ts", import.meta.url),
  hasTitleMatch: true,
  texts: {
    ...counterPage.texts,
    title: "Yard",
    name: "Yard",
    heading: "Yard",
    ownBody: "Your colour",
  },
};
