/**
 * Draws the icons of games as PNG files, in Chromium: what a phone or a desktop shows for a page that
 * was installed.
 *
 *     deno task chore icons [--games]
 *
 * They lie beside each game's view (`ICONS` in `client/build/page_source.ts`), and come from its
 * `icon.svg`, or from the letter that the build draws without one.
 */
import * as z from "zod";
import type { Browser } from "playwright-core";
import { type AppIcon, ICONS } from "../../../client/build/page_source.ts";
import { gamePage } from "../../../client/build/game_page.ts";
import { type FlagValues, UsageError } from "../../../shared/flags.ts";
import { GAMES } from "../../../shared/games/registry.ts";
import { quoted } from "../../../shared/quoted.ts";
import { chromiumPath, launchChromium } from "../../browser/chromium.ts";
import { runTool } from "../../support/tool.ts";

const ROOT = new URL("../../../", import.meta.url);
/** The night of the pages, and of the drawn icons. */
const GROUND = "#14182f";
/**
 * The share of a maskable icon's width that the drawing takes. A platform may cut away all but the
 * circle in the middle whose width is 80 % of the icon's.
 */
const MASKED_SHARE = 0.74;

const FLAGS = {
  games: {
    schema: z.string().min(1).optional(),
    about: "the games whose icons are drawn [all of the registry]",
    allowed: "names with commas between",
  },
} as const;

/** @returns 0 */
async function drawIcons({ games }: FlagValues<typeof FLAGS>): Promise<number> {
  if (chromiumPath === undefined) throw new UsageError("there is no Chromium here");
  const names = games?.split(",") ?? Object.keys(GAMES);
  const unknown = names.find((name) => !Object.hasOwn(GAMES, name));
  if (unknown !== undefined) throw new UsageError(`--games ${quoted(unknown)}: there is none`);

  const browser = await launchChromium();
  try {
    for (const name of names) {
      const { icon } = await gamePage(name);
      const folder = new URL(`client/games/${name}/`, ROOT);
      const bytes: number[] = [];
      for (const each of ICONS) {
        const png = await drawn(browser, icon, each);
        await Deno.writeFile(new URL(each.name, folder), png);
        bytes.push(png.length);
      }
      console.log(
        `${name}: ${ICONS.map((each, i) => `${each.name} ${bytes[i]} bytes`).join(", ")}`,
      );
    }
    return 0;
  } finally {
    await browser.close();
  }
}

/** @param svg a square drawing */
async function drawn(
  browser: Browser,
  svg: string,
  { pixels, isMaskable }: AppIcon,
): Promise<Uint8Array<ArrayBuffer>> {
  const page = await browser.newPage({ viewport: { width: pixels, height: pixels } });
  const share = 100 * (isMaskable ? MASKED_SHARE : 1);
  await page.setContent(`<style>
    html { background: ${isMaskable ? GROUND : "transparent"} }
    body { margin: 0; display: grid; place-items: center; height: 100vh }
    svg { width: ${share}vw; height: ${share}vw }
  </style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  await page.context().close();
  return new Uint8Array(png);
}

if (import.meta.main) Deno.exit(await runTool("chore icons", { flags: FLAGS, run: drawIcons }));
