/** Opens index.html with lobby, HUD and dialogs, and without a game. */
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { bundle } from "../../../client/build/build.ts";
import { fillPageTexts } from "../../../client/build/page_source.ts";
import { gamePage } from "../../../client/build/game_page.ts";
import type { Hud } from "../../../client/ui/match/hud.ts";
import type { Lobby } from "../../../client/ui/lobby.ts";
import type { MatchMenu } from "../../../client/ui/match/match_menu.ts";
import type { SettingsPanel } from "../../../client/ui/settings_panel.ts";

declare global {
  var hud: Hud;
  var lobby: Lobby;
  var menu: MatchMenu;
  var settingsPanel: SettingsPanel;
}

const CLIENT = new URL("../../../client/", import.meta.url);
const PLACE = "http://words.invalid/";

/** The pages of one test file share a script. */
let bundled: Promise<string> | undefined;

/** A page with `hud`, `lobby` and the dialogs in its global scope. It loads nothing from a server. */
export async function openWords(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const markup = fillPageTexts(
    await Deno.readTextFile(new URL("index.html", CLIENT)),
    (await gamePage("dragons")).texts,
  );
  const script = await (bundled ??= bundle(fileURLToPath(new URL("words_page.ts", import.meta.url))));
  const page = await browser.newPage(options);
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === PLACE) return route.fulfill({ contentType: "text/html", body: markup });
    if (url === `${PLACE}main.js`) {
      return route.fulfill({ contentType: "text/javascript", body: script });
    }
    if (!url.endsWith(".css")) return route.abort();
    return route.fulfill({ contentType: "text/css", path: fileURLToPath(new URL(url.slice(PLACE.length), CLIENT)) });
  });
  await page.goto(PLACE);
  return page;
}
