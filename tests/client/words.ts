/** Opens index.html with its own words and no game behind them. */
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { bundle } from "../../client/build.ts";
import type { Hud } from "../../client/hud.ts";
import type { Lobby } from "../../client/lobby.ts";

declare global {
  var hud: Hud;
  var lobby: Lobby;
}

const PLACE = "http://words.invalid/";

/** A page with `hud` and `lobby` in its console. Nothing is fetched from anywhere. */
export async function openWords(browser: Browser): Promise<Page> {
  const markup = await Deno.readTextFile(new URL("../../client/index.html", import.meta.url));
  const script = await bundle(fileURLToPath(new URL("words_page.ts", import.meta.url)));
  const page = await browser.newPage();
  await page.route("**/*", (route) => {
    if (route.request().url() === PLACE) return route.fulfill({ contentType: "text/html", body: markup });
    if (route.request().url() === `${PLACE}main.js`) {
      return route.fulfill({ contentType: "text/javascript", body: script });
    }
    return route.fulfill({ contentType: "text/css", body: "[hidden] { display: none !important }" });
  });
  await page.goto(PLACE);
  return page;
}
