/** The typed settings of `wyvern/server`, from the tables of the server's settings. */
import type { FlagDef } from "../../shared/flags.ts";
import { partSettings } from "../../server/settings/settings.ts";
import { formatted } from "./reference.ts";

export const HOST_SETTINGS = new URL("../../server/package/host_settings.ts", import.meta.url);

const HEAD = `/**
 * What a program may set when it hosts games. \`deno task chore docs\` writes this file from the
 * tables of the server's settings (\`server/settings\`), which have the same names as flags.
 */

/** How often something may happen: so many at one instant, and so many per second for ever. */
export interface HostRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** The server's settings by their names; each has a default. */
export interface ServerSettings {
`;

/** @returns the module's text, formatted as `deno fmt` does */
export async function hostSettingsText(): Promise<string> {
  const settings = Object.entries(partSettings(["hop"])).map(([name, flag]) =>
    `${docOf(forProgram(name, flag))}  readonly ${keyOf(name)}?: ${typeOf(name, flag)};\n`
  );
  return await formatted(`${HEAD}${settings.join("")}}\n`, "ts");
}

/** The words of a flag, where they say how it is written on a command line. */
function forProgram(name: string, { about, allowed, ...flag }: FlagDef): FlagDef {
  if (name === "npcs") {
    return {
      ...flag,
      about: "NPCs in each room, of all games or by a game's name [as each game says]",
      allowed: allowed.split(",")[0]!,
    };
  }
  if (typeOf(name, { about, allowed, ...flag }) !== "HostRate") {
    return { ...flag, about, allowed: allowed.replace(" with commas between", "") };
  }
  const byDefault = about.replace(
    /\[(\d+)\/(\d+)\]$/,
    "[{ burst: $1, perSecond: $2 }]",
  );
  return { ...flag, about: byDefault, allowed: "each a whole number 1 to 9999999" };
}

/** The most characters of a line of a docstring. */
const CHARACTERS_MAX = 93;

/** The docstring of a flag: its purpose, the default in brackets, and what is allowed. */
function docOf({ about, allowed }: FlagDef): string {
  const text = allowed === "" ? about : `${about}: ${allowed}`;
  const lines = [""];
  for (const word of `${text[0]!.toUpperCase()}${text.slice(1)}.`.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > CHARACTERS_MAX) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return `  /**\n${lines.map((line) => `   * ${line}\n`).join("")}   */\n`;
}

function keyOf(name: string): string {
  return name.includes("-") ? `"${name}"` : name;
}

/** A list of words, such as "off, auto or on". */
const WORDS = /^[\w-]+(?:, [\w-]+)* or [\w-]+$/;

/** The type that the allowed texts of a flag have in a program. */
function typeOf(name: string, flag: FlagDef): string {
  if (flag.switch) return "boolean";
  const { allowed } = flag;
  if (name === "npcs") return "number | Readonly<Record<string, number>>";
  if (allowed.startsWith("BURST/")) return "HostRate";
  if (allowed.startsWith("a whole number")) return "number";
  if (/with commas|or more addresses|addresses or networks/.test(allowed)) {
    return "readonly string[]";
  }
  if (WORDS.test(allowed)) {
    return allowed.split(/, | or /).map((word) => `"${word}"`).join(" | ");
  }
  return "string";
}
