/**
 * Finds a game's page by convention, so that a new game needs no entry here:
 *
 *     game.ts          in the game's folder below `shared/games`: exports `game`
 *     view.ts          in its folder below `client/games`: exports `view`
 *     icon.svg         beside the view; without it the build draws a letter
 *     icon-192.png     beside the view, with icon-512.png and icon-mask-512.png: for installed pages
 *     card.jpg         beside the view: 1200 × 630 px, for previews of links
 *     preview.webp     beside the view: 480 × 270 px, moves in the list of games
 *     page_source.ts   beside the view, only where the page differs from all this: exports the differences as `page`,
 *                      such as `{ texts: { pitch, point } }`
 *
 * The build runs game and page source, but never the view, because a view needs a browser.
 */
import { titleOf } from "../../shared/game_names.ts";
import { NO_ROOMS, OWN_BODY } from "../ui/lobby/lobby_texts.ts";
import {
  type AppIcon,
  ICONS,
  type PageDifferences,
  type PagePictures,
  type PageSource,
  type PageTexts,
  PICTURE_NAMES,
} from "./page_source.ts";

const ROOT = new URL("../../", import.meta.url);

/** What a page takes from a game's module. */
interface GameModule {
  readonly game: { readonly declaration?: { readonly title: string } };
}

/** Where earlier views had the page's texts. */
const PAGE_IN_VIEW = /^export const page\b/m;

/**
 * @param name the game's name in the registry
 * @param root the folder that `client` and `shared` are in
 * @throws Error if the game lacks a view, or another of its modules does not load
 */
export function gamePage(name: string, root = ROOT): Promise<PageSource> {
  const folder = new URL(`client/games/${name}/`, root);
  const game = new URL(`shared/games/${name}/game.ts`, root);
  return pageIn(folder, { name, game });
}

/**
 * The same for a game of another project.
 * @param folder where view, icon and texts are
 * @throws Error as `gamePage`
 */
export async function pageIn(
  folder: URL,
  { name, game }: { readonly name: string; readonly game: URL },
): Promise<PageSource> {
  const view = new URL("view.ts", folder);
  const sourceFile = new URL("page_source.ts", folder);
  const differences: PageDifferences = await exists(sourceFile)
    ? (await import(sourceFile.href)).page
    : {};
  const { texts: page = {}, icon = await iconOf(name, folder), ...others } = differences;
  const pictures = await picturesIn(folder);
  const icons = await iconsIn(folder);
  await checkView(view, name);
  const { declaration } = (await import(game.href) as GameModule).game;
  return {
    name,
    game,
    replayGame: game,
    view,
    plugins: [],
    hasTitleMatch: declaration !== undefined,
    icons,
    pictures,
    ...others,
    icon,
    texts: textsOf(name, { title: declaration?.title, page }),
  };
}

/** @throws Error if there is no view, or if it has the page's texts, which nobody would read */
async function checkView(view: URL, name: string): Promise<void> {
  if (!PAGE_IN_VIEW.test(await Deno.readTextFile(view))) return;
  throw new Error(
    `client/games/${name}/view.ts exports \`page\`: write client/games/${name}/page_source.ts ` +
      `with \`export const page = { texts: { … } }\` instead`,
  );
}

/** @param options.title undefined for a game below the kit, which declares none */
function textsOf(
  name: string,
  { title = titleOf(name), page }: { title: string | undefined; page: Partial<PageTexts> },
): PageTexts {
  const description = [page.pitch, page.point].filter(Boolean).join(" ") ||
    `Play ${title} in the browser.`;
  return {
    title,
    name: title,
    description,
    arena: `The arena of ${title}`,
    heading: title,
    pitch: description,
    point: "",
    ownBody: OWN_BODY,
    noRooms: NO_ROOMS,
    rules: [],
    oneButton: "One button",
    devices: "Gamepads and touch screens work as they are.",
    ...page,
  };
}

async function picturesIn(folder: URL): Promise<PagePictures> {
  const card = new URL(PICTURE_NAMES.card, folder);
  const preview = new URL(PICTURE_NAMES.preview, folder);
  return {
    ...await exists(card) && { card },
    ...await exists(preview) && { preview },
  };
}

async function iconsIn(folder: URL): Promise<readonly AppIcon[]> {
  const areThere = await Promise.all(ICONS.map(({ name }) => exists(new URL(name, folder))));
  return ICONS.filter((_, i) => areThere[i]);
}

async function iconOf(name: string, folder: URL): Promise<string> {
  const file = new URL("icon.svg", folder);
  return await exists(file) ? await Deno.readTextFile(file) : drawnIcon(name);
}

/** Draws an icon as SVG text: a letter on a disc, with a hue that follows from the name. */
export function drawnIcon(name: string): string {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" rx="14" fill="#14182f" />
  <circle cx="32" cy="32" r="23" fill="hsl(${hue} 70% 68%)" />
  <text x="32" y="43" font-family="sans-serif" font-size="32" font-weight="700" text-anchor="middle" fill="#14182f">${
    name[0]!.toUpperCase()
  }</text>
</svg>
`;
}

async function exists(file: URL): Promise<boolean> {
  try {
    return (await Deno.stat(file)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
