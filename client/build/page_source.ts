/**
 * What the build needs for one game's page: its modules, texts for index.html, an icon, and plugins
 * for its bundle.
 */
import type { Plugin } from "esbuild";

const CLIENT = new URL("../", import.meta.url);
/** Where the lobby goes in index.html. */
const LOBBY_MARK = "<!-- lobby -->\n";

export interface PageSource {
  /** The game's name in addresses and folders. */
  readonly name: string;
  /** The module that exports the `game` for the page to simulate. */
  readonly game: URL;
  /**
   * The module that exports the `game` for the overlay's worker and the replay page to simulate.
   */
  readonly replayGame: URL;
  /** The module that exports the `view` to show the game. */
  readonly view: URL;
  readonly texts: PageTexts;
  /** Whether a worker plays a match of it behind the lobby (`client/game_kit/title_match.ts`). */
  readonly hasTitleMatch?: boolean;
  /** SVG text. */
  readonly icon: string;
  /** The icons beside the view as PNG files, for platforms that take no SVG. */
  readonly icons?: readonly AppIcon[];
  /** Pictures beside the view, by what they are for. */
  readonly pictures?: PagePictures;
  readonly plugins: readonly Plugin[];
}

/** The pictures of a game that has some. */
export interface PagePictures {
  /** JPEG, 1200 × 630 px: for previews of links, and still in the list of games. */
  readonly card?: URL;
  /** WebP, 480 × 270 px: moves in the list of games. */
  readonly preview?: URL;
}

/** The names of a game's pictures, beside its view and beside its page. */
export const PICTURE_NAMES = { card: "card.jpg", preview: "preview.webp" } as const;

/** One icon of an installed page, a square PNG. */
export interface AppIcon {
  /** Beside the view, and beside the page. */
  readonly name: string;
  readonly pixels: number;
  /** Whether a platform may cut its own shape out of it. */
  readonly isMaskable: boolean;
}

/** The icons that a game may have; `deno task chore icons` draws them. */
export const ICONS: readonly AppIcon[] = [
  { name: "icon-192.png", pixels: 192, isMaskable: false },
  { name: "icon-512.png", pixels: 512, isMaskable: false },
  { name: "icon-mask-512.png", pixels: 512, isMaskable: true },
];

/** Where a page differs from the convention (`game_page.ts`). */
export type PageDifferences = Partial<
  Omit<PageSource, "name" | "texts"> & { readonly texts: Partial<PageTexts> }
>;

/** The texts that index.html names in double braces, as plain text; the build escapes them. */
export interface PageTexts {
  readonly title: string;
  /** The game's name in the list of games. */
  readonly name: string;
  /** One sentence, for that list and for link previews. */
  readonly description: string;
  /** Describes the picture to screen readers. */
  readonly arena: string;
  readonly heading: string;
  /** One sentence about the game, and its point, which is emphasized. */
  readonly pitch: string;
  readonly point: string;
  /** Stands above the colours: "Your dragon". */
  readonly ownBody: string;
  readonly noRooms: string;
  readonly rules: readonly string[];
  /** Stands beside the switch for playing with one button. */
  readonly oneButton: string;
  /** Says how gamepads and touch screens work. */
  readonly devices: string;
}

/**
 * Makes the web app manifest, with which a phone or a desktop starts the page like a program. Its
 * addresses are relative, because the game can be at `/` or at `/NAME/`.
 */
export function manifestOf(
  { texts: { title, heading, description }, icons = [] }: Pick<PageSource, "texts" | "icons">,
): object {
  return {
    start_url: "./",
    scope: "./",
    name: title,
    short_name: heading,
    description,
    display: "fullscreen",
    background_color: "#11152a",
    theme_color: "#11152a",
    icons: [
      { src: "icon.svg", type: "image/svg+xml", sizes: "any" },
      ...icons.map(({ name, pixels, isMaskable }) => ({
        src: name,
        type: "image/png",
        sizes: `${pixels}x${pixels}`,
        purpose: isMaskable ? "maskable" : "any",
      })),
    ],
  };
}

/**
 * Makes the game's item for the list of games: with its moving picture, in whose place a visitor who
 * wants no motion, or no data, gets the still one.
 */
export function listItemOf(
  { name, texts, pictures = {} }: Pick<PageSource, "name" | "texts" | "pictures">,
): string {
  const address = (file: string) => `/${name}/${file}`;
  const icon = `<img class="icon" src="${address("icon.svg")}" alt="" width="64" height="64">`;
  const { preview, card } = PICTURE_NAMES;
  const still = pictures.card === undefined ? "" : `
              <source media="${CALM}" srcset="${address(card)}">`;
  const moving = pictures.preview === undefined ? icon : `<picture>${still}
              <img src="${
    address(preview)
  }" alt="" width="480" height="270" loading="lazy" decoding="async">
            </picture>`;
  return `<li>
          <a href="/${name}/">
            ${moving}
            <span class="name">${escaped(texts.name)}</span>
            <span class="sentence">${escaped(texts.description)}</span>
            <span class="players" data-game="${name}"></span>
          </a>
        </li>
        `;
}

/** Visitors who want no motion, or whose connection is dear. */
const CALM = "(prefers-reduced-motion: reduce), (prefers-reduced-data: reduce)";

/**
 * Adds the game's picture to the markup, for previews of links.
 * @param base what stands before the picture's name: empty beside the page, an address elsewhere
 */
export function withCard(
  markup: string,
  { pictures, texts }: Pick<PageSource, "pictures" | "texts">,
  base = "",
): string {
  if (pictures?.card === undefined) return markup;
  const tags = [
    `<meta property="og:image" content="${base}${PICTURE_NAMES.card}">`,
    `<meta property="og:image:width" content="1200">`,
    `<meta property="og:image:height" content="630">`,
    `<meta property="og:image:alt" content="${escaped(texts.arena)}">`,
    `<meta name="twitter:card" content="summary_large_image">`,
  ];
  return markup.replace(`<link rel="icon"`, () => `${tags.join("\n    ")}\n    <link rel="icon"`);
}

/**
 * Reads index.html, with the lobby in its place: pages of other authors mount the same lobby
 * (`client/own_page/mount_lobby.ts`).
 */
export async function pageTemplate(): Promise<string> {
  const [page, lobby] = await Promise.all(
    ["index.html", "ui/lobby/lobby.html"].map((path) => Deno.readTextFile(new URL(path, CLIENT))),
  );
  return page!.replace(LOBBY_MARK, () => lobby!);
}

/**
 * Puts the texts into the markup.
 * @throws Error if the markup names a text that is missing
 */
export function fillPageTexts(markup: string, texts: PageTexts): string {
  return markup.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: keyof PageTexts) => {
    const text = texts[name];
    if (text === undefined) {
      throw new Error(`client/index.html names "${name}", which the page's texts do not have`);
    }
    return typeof text === "string"
      ? escaped(text)
      : text.map((item) => `<li>${escaped(item)}</li>`).join("\n        ");
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
