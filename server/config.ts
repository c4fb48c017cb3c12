/** The server's command line. */
import * as z from "zod";
import { type FlagValues, parseFlags, present, usage, wholeNumber } from "../shared/flags.ts";

const FLAGS = {
  host: {
    // Letters, digits, dots and hyphens of a name, colons of IPv6. Whether it can be bound, only binding tells.
    schema: z.string().regex(/^[A-Za-z0-9:][A-Za-z0-9.:-]{0,252}$/).default("127.0.0.1"),
    about: "where to listen [127.0.0.1]",
    allowed: "a name or address of this machine, 0.0.0.0 for all of them",
  },
  port: {
    schema: wholeNumber(65_535).default(8080),
    about: "where to listen [8080]",
    allowed: "a whole number 0 to 65535, 0 takes any free one",
  },
  npcs: {
    schema: wholeNumber(16).default(4),
    about: "NPC dragons in each room [4]",
    allowed: "a whole number 0 to 16",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).optional(),
    about: "what all chance in the matches grows from [drawn at start]",
    allowed: "a whole number 0 to 4294967295",
  },
  stream: {
    schema: z.enum(["commands", "state"]).default("commands"),
    about: "what clients are sent each tick: commands and a hash, or where all bodies are (SPEC 12) [commands]",
    allowed: "commands or state",
  },
  "log-json": { schema: present(), about: "log one JSON object a line", allowed: "", switch: true },
} as const;

/** How to run the server. `seed` is undefined where none was asked for: the server then draws one and says which. */
export type Config = FlagValues<typeof FLAGS>;

export const USAGE = usage("deno task serve", FLAGS);

/** @returns the configuration, or "help" where that was asked for @throws UsageError as `parseFlags` does */
export function parseConfig(args: string[]): Config | "help" {
  return parseFlags(args, FLAGS);
}
