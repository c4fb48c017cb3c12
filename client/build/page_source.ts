/**
 * What the build needs for one game's page: its modules, texts for index.html, an icon, and plugins
 * for its bundle.
 */
import type { Plugin } from "esbuild";

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
  readonly plugins: readonly Plugin[];
}

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
  { texts: { title, heading, description } }: Pick<PageSource, "texts">,
): object {
  return {
    start_url: "./",
    name: title,
    short_name: heading,
    description,
    display: "fullscreen",
    background_color: "#11152a",
    theme_color: "#11152a",
    icons: [{ src: "icon.svg", type: "image/svg+xml", sizes: "any" }],
  };
}

/** Makes the game's item for the list of games. */
export function listItemOf({ name, texts }: Pick<PageSource, "name" | "texts">): string {
  return `<li>
          <a href="/${name}/">
            <img src="/${name}/icon.svg" alt="" width="64" height="64">
            <span class="name">${escaped(texts.name)}</span>
            <span class="sentence">${escaped(texts.description)}</span>
            <span class="players" data-game="${name}"></span>
          </a>
        </li>
        `;
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
