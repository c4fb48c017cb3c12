/** The server's command line. */
import * as z from "zod";
import { type FlagValues, parseFlags, present, someOf, usage, wholeNumber } from "../shared/flags.ts";

const HOST_FLAGS = {
  host: {
    // A name's letters, digits, dots and hyphens, or the colons of IPv6. Only binding shows whether the host is valid.
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
    about: "NPCs in each room [4]",
    allowed: "a whole number 0 to 16",
  },
  seed: {
    schema: wholeNumber(0xffff_ffff).optional(),
    about: "seed of all randomness in the matches [drawn at start]",
    allowed: "a whole number 0 to 4294967295",
  },
  stream: {
    schema: z.enum(["commands", "state"]).default("commands"),
    about: "what clients receive each tick: commands and a hash, or the body stream (SPEC 12) [commands]",
    allowed: "commands or state",
  },
  "check-twin": {
    schema: present(),
    about: "for development: repeat each tick after a rollback, and log the first field that differs",
    allowed: "",
    switch: true,
  },
  dev: {
    schema: present(),
    about: "as `deno task dev` runs it: read the pages again at each line on standard input",
    allowed: "",
    switch: true,
  },
  "log-json": { schema: present(), about: "log one JSON object a line", allowed: "", switch: true },
} as const;

/** @param names of all games that can be hosted, at least one; the first is hosted by default */
function flagsFor(names: readonly string[]) {
  return {
    games: {
      schema: someOf(names).default([names[0]!]),
      about: `which games, at / the only one or a list of several [${names[0]}]`,
      allowed: `some of ${names.join(",")}, or all`,
    },
    ...HOST_FLAGS,
  } as const;
}

/** The server's settings. If `seed` is undefined, the server draws a seed and logs it. */
export type Config = FlagValues<ReturnType<typeof flagsFor>>;

/** The usage text. @param names of all games that can be hosted */
export function usageFor(names: readonly string[]): string {
  return usage("deno task serve", flagsFor(names));
}

/**
 * @param names of all games that can be hosted, at least one; the first is hosted by default
 * @returns the configuration, or "help" if the arguments request it
 * @throws UsageError as `parseFlags` does
 */
export function parseConfig(args: string[], names: readonly string[]): Config | "help" {
  return parseFlags(args, flagsFor(names));
}
