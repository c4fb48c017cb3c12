/**
 * One game's page, as the build makes it: its modules, texts for index.html, an icon, and plugins
 * for its bundle.
 */
import type { Plugin } from "esbuild";

export interface PageSource {
  /** The game's name in addresses and folders. */
  readonly name: string;
  /** The module whose export `game` the page simulates. */
  readonly game: URL;
  /** The module whose export `game` the overlay's worker simulates. */
  readonly replayGame: URL;
  /** The module whose export `view` shows the game. */
  readonly view: URL;
  readonly texts: PageTexts;
  /** The text of an SVG file. */
  readonly icon: string;
  readonly plugins: readonly Plugin[];
}

/** The parts of a page that differ from the convention (`game_page.ts`). */
export type PageDifferences = Partial<
  Omit<PageSource, "name" | "texts"> & { readonly texts: Partial<PageTexts> }
>;

/** The texts that index.html names in double braces. Plain text; the build escapes it. */
export interface PageTexts {
  readonly title: string;
  /** The game in the list of games. */
  readonly name: string;
  /** One sentence, for that list and for link previews. */
  readonly description: string;
  /** The picture, for screen readers. */
  readonly arena: string;
  readonly heading: string;
  /** One sentence about the game, and its point, which is emphasized. */
  readonly pitch: string;
  readonly point: string;
  /** Above the colours: "Your dragon". */
  readonly ownBody: string;
  readonly noRooms: string;
  readonly rules: readonly string[];
  /** Beside the switch that plays with one button. */
  readonly oneButton: string;
  /** How gamepads and touch screens work. */
  readonly devices: string;
}

/**
 * The web app manifest, with which a phone or a desktop starts the page like a program. Its
 * addresses are relative to its own, because the game can be at `/` or at `/NAME/`.
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

/** The game's item in the list of games. */
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
 * @throws Error for a name in the markup that the texts do not have
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
