/** Opens index.html with a script of a test: with lobby, HUD and dialogs, and without a game. */
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { bundle } from "../../../client/build/build.ts";
import { fillPageTexts, pageTemplate } from "../../../client/build/page_source.ts";
import { gamePage } from "../../../client/build/game_page.ts";
import type { BestList } from "../../../client/ui/lobby/best_list.ts";
import type { Hud } from "../../../client/ui/match/hud.ts";
import type { Lobby } from "../../../client/ui/lobby.ts";
import type { MatchMenu } from "../../../client/ui/match/match_menu.ts";
import type { HowItWorks } from "../../../client/ui/asked/how_it_works.ts";
import type { InviteDialog } from "../../../client/ui/asked/invite_dialog.ts";
import type { SettingsPanel } from "../../../client/ui/settings_panel.ts";

declare global {
  var bestList: BestList;
  var hud: Hud;
  var lobby: Lobby;
  var files: { progress: number };
  var newWaitingLobby: () => Lobby;
  var menu: MatchMenu;
  var settingsPanel: SettingsPanel;
  var howItWorks: HowItWorks;
  var inviteDialog: InviteDialog;
  /** Whether HUD and lobby have the parts that only some games have. */
  var hasParts: boolean | undefined;
  /** The newest choice to join of these parts. */
  var joinChoice: Readonly<Record<string, string>>;
}

const CLIENT = new URL("../../../client/", import.meta.url);
const PLACE = "http://words.invalid/";

/** By path. The pages of one test file share a script. */
const bundled = new Map<string, Promise<string>>();

/**
 * A page with `hud`, `lobby` and the dialogs in its global scope. It loads nothing from a server.
 */
interface WordsOptions extends BrowserContextOptions {
  readonly hasParts?: boolean;
}

export function openWords(browser: Browser, options: WordsOptions = {}): Promise<Page> {
  return openMarkup(browser, new URL("words_page.ts", import.meta.url), options);
}

/** The page's markup and style sheets with another script. It loads nothing from a server. */
export async function openMarkup(
  browser: Browser,
  script: URL,
  { hasParts = false, ...options }: WordsOptions = {},
): Promise<Page> {
  const markup = fillPageTexts(
    await pageTemplate(),
    (await gamePage("dragons")).texts,
  );
  const entry = fileURLToPath(script);
  const built = bundled.get(entry) ?? bundle(entry);
  bundled.set(entry, built);
  const body = await built;
  const page = await browser.newPage(options);
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url === PLACE) return route.fulfill({ contentType: "text/html", body: markup });
    if (url === `${PLACE}main.js`) {
      return route.fulfill({ contentType: "text/javascript", body });
    }
    if (!url.endsWith(".css")) return route.abort();
    return route.fulfill({
      contentType: "text/css",
      path: fileURLToPath(new URL(url.slice(PLACE.length), CLIENT)),
    });
  });
  await page.addInitScript((hasParts) => globalThis.hasParts = hasParts, hasParts);
  await page.goto(PLACE);
  // The style of dialogs that a page loads with them
  await page.addStyleTag({ url: `${PLACE}ui/asked/asked.css` });
  return page;
}
