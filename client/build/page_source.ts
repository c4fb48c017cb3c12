/** One game's page, as the build makes it: an entry, texts for index.html, an icon, and plugins for its bundle. */
import type { Plugin } from "esbuild";

export interface PageSource {
  /** Path of the script that calls `runPage`; its basename must be main.ts. */
  readonly entry: string;
  /** Path of the script that calls `runReplayWorker`; its basename must be replay_worker.ts. */
  readonly replayWorker: string;
  readonly texts: PageTexts;
  /** An SVG file. */
  readonly icon: URL;
  readonly plugins: readonly Plugin[];
}

/** The texts that index.html names in double braces. Plain text; the build escapes it. */
export interface PageTexts {
  readonly title: string;
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

/** The web app manifest, with which a phone or a desktop starts the page like a program. */
export function manifestOf({ texts: { title, heading, description } }: Pick<PageSource, "texts">): object {
  return {
    id: "/",
    start_url: "/",
    name: title,
    short_name: heading,
    description,
    display: "fullscreen",
    background_color: "#11152a",
    theme_color: "#11152a",
    icons: [{ src: "/icon.svg", type: "image/svg+xml", sizes: "any" }],
  };
}

/**
 * Puts the texts into the markup.
 * @throws Error for a name in the markup that the texts do not have
 */
export function fillPageTexts(markup: string, texts: PageTexts): string {
  return markup.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: keyof PageTexts) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`client/index.html names "${name}", which the page's texts do not have`);
    return typeof text === "string"
      ? escaped(text)
      : text.map((item) => `<li>${escaped(item)}</li>`).join("\n        ");
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
