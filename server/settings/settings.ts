/**
 * The server's settings. Each has one name, and may be given on the command line (`--rooms 50`), in
 * the environment (`WYVERN_ROOMS=50`) or in a JSON file (`--config FILE` with `{"rooms": 50}`). The
 * first of these that gives a setting counts.
 */
import * as z from "zod";
import {
  type FlagSource,
  flagSource,
  type FlagTable,
  type FlagValues,
  parseValues,
  present,
  type Rate,
  readFlags,
  someOf,
  usage,
  UsageError,
  wholeNumber,
} from "../../shared/flags.ts";
import { type Authority, PLAYER_SEATS, SEATS } from "../../shared/netcode/game.ts";
import { quoted } from "../../shared/quoted.ts";
import { CLUSTER_FLAGS } from "./cluster.ts";
import { withoutCredentials } from "./server_address.ts";
import { LIMIT_FLAGS } from "./limits.ts";
import { isLoopback, NETWORK_FLAGS } from "./network.ts";
import { OPERATION_FLAGS } from "./operation.ts";
import { checkWorkers, WORKER_FLAGS } from "./workers.ts";

/** NPCs in each room, 0 … 16: one number, or numbers by games' names. */
export type NpcCounts = number | Readonly<Record<string, number>>;

/** Who computes matches: the same for all games, or by games' names. */
export type Authorities = Authority | Readonly<Record<string, Authority>>;

const MATCH_FLAGS = {
  seed: {
    schema: wholeNumber(0xffff_ffff).optional(),
    about: "seed of all randomness in the matches; with --public there is none [drawn at start]",
    allowed: "a whole number 0 to 4294967295",
  },
  stream: {
    schema: z.enum(["commands", "state"]).default("commands"),
    about:
      "what clients receive each tick: commands and a hash, or the body stream (SPEC 12) [commands]",
    allowed: "commands or state",
  },
  verify: {
    schema: z.enum(["all", "sample", "differences"]).default("sample"),
    about:
      "what the referee judges of matches that the server orders: all, one match in eight, or what pages disagree on [sample]",
    allowed: "all, sample or differences",
  },
  idle: {
    schema: wholeNumber(86_400).default(180),
    about:
      "seconds without any input after which a player loses the seat; an NPC plays after 20; 0 for never [180]",
    allowed: "a whole number 0 to 86400",
  },
  "check-twin": {
    schema: present(),
    about:
      "for development: repeat each tick after a rollback, and log the first field that differs",
    allowed: "",
    switch: true,
  },
  "check-planck": {
    schema: present(),
    about:
      "for development: the overlay (F3) draws a stock planck world beside the stage, with the distance",
    allowed: "",
    switch: true,
  },
  build: {
    schema: present(),
    about: "first build the pages of the hosted games; `deno task serve` sets it",
    allowed: "",
    switch: true,
  },
  dev: {
    schema: present(),
    about: "as `deno task dev` runs it: read the pages again at each line on standard input",
    allowed: "",
    switch: true,
  },
} as const;

const FILE_FLAG = {
  config: {
    schema: z.string().min(1).optional(),
    about: "a file with settings, as JSON by these names; flags and the environment count more",
    allowed: "a path",
  },
} as const;

const NPCS_MAX = SEATS - PLAYER_SEATS;

/** NPCs by game, each game once, or for all of them. */
function npcCounts(names: readonly string[]) {
  const number = wholeNumber(NPCS_MAX);
  const each = z.string().transform((list) => list.split(",").map((part) => part.split("=")))
    .refine((parts) => new Set(parts.map(([name]) => name)).size === parts.length)
    .pipe(z.array(z.tuple([z.enum(names as [string, ...string[]]), number])))
    .transform((parts): NpcCounts => Object.fromEntries(parts));
  return z.union([number, each]);
}

/** Who computes the matches, by game, each game once, or for all of them. */
function authorities(names: readonly string[]) {
  const one = z.enum(["full", "order"]);
  const each = z.string().transform((list) => list.split(",").map((part) => part.split("=")))
    .refine((parts) => new Set(parts.map(([name]) => name)).size === parts.length)
    .pipe(z.array(z.tuple([z.enum(names as [string, ...string[]]), one])))
    .transform((parts): Authorities => Object.fromEntries(parts));
  return z.union([one, each]);
}

/** @param names of all games that can be hosted, at least one; the first is the default */
function flagsFor(names: readonly string[]) {
  return {
    games: {
      schema: someOf(names).default([names[0]!]),
      about: `which games, at / the only one or a list of several [${names[0]}]`,
      allowed: `some of ${names.join(",")}, or all`,
    },
    npcs: {
      schema: npcCounts(names).optional(),
      about: "NPCs in each room: a number, or GAME=NUMBER with commas [as each game says]",
      allowed: `a whole number 0 to ${NPCS_MAX}, or such as ${names[0]}=0`,
    },
    authority: {
      schema: authorities(names).optional(),
      about:
        "who computes matches: the server in full, or the players while it orders their commands [as each game says]",
      allowed: `full, order, or such as ${names[0]}=order`,
    },
    ...FILE_FLAG,
    ...MATCH_FLAGS,
    ...NETWORK_FLAGS,
    ...WORKER_FLAGS,
    ...OPERATION_FLAGS,
    ...CLUSTER_FLAGS,
    ...LIMIT_FLAGS,
  } as const;
}

/** All settings by their names. If `seed` is undefined, the server draws one. */
export type Settings = FlagValues<ReturnType<typeof flagsFor>>;

/** The seed of the settings, or one that is drawn now: 0 … 2³² − 1. */
export function seedOf({ seed }: Pick<Settings, "seed">): number {
  return seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!;
}

/** Where settings are read from besides the command line. */
export interface SettingsPlaces {
  /** @returns the text of an environment variable; undefined if there is none */
  readonly readVariable?: (name: string) => string | undefined;
  /** @throws Error if the file cannot be read */
  readonly readTextFile?: (path: string) => string;
}

/** The settings that people use, which the first page of the usage text shows. */
const FIRST_PAGE: readonly (keyof Settings)[] = [
  "games",
  "npcs",
  "host",
  "port",
  "workers",
  "data",
  "public",
  "origin",
  "secret-file",
  "config",
];

/**
 * Writes the usage text.
 * @param names of all games that can be hosted
 * @param options.command what people type before the flags
 * @param options.args of a command line that requests it: `--help all` shows every setting, and is
 * the default
 */
export function usageFor(
  names: readonly string[],
  { command = "deno task serve", args = ["--help", "all"] }: {
    readonly command?: string;
    readonly args?: readonly string[];
  } = {},
): string {
  const table = flagsFor(names);
  if (args.includes("--help=all") || args[args.indexOf("--help") + 1] === "all") {
    return usage(command, table, {
      help: "the ten settings that people use",
      "help all": "this text",
    });
  }
  const first = Object.fromEntries(FIRST_PAGE.map((name) => [name, table[name]]));
  return usage(command, first, {
    help: "this text",
    "help all": `all ${
      Object.keys(table).length
    } settings: the network, limits, operators, a cluster`,
  });
}

/**
 * @param names of all games that can be hosted, at least one; the first is the default
 * @returns the settings, or "help" if the arguments request it
 * @throws UsageError for anything that is not allowed, naming the flag, the variable or the file
 */
export function parseSettings(
  args: string[],
  names: readonly string[],
  { readVariable = () => undefined, readTextFile = Deno.readTextFileSync }: SettingsPlaces = {},
): Settings | "help" {
  const table = flagsFor(names);
  const texts = readFlags(args, table);
  if (texts === "help") return texts;

  // The command line comes first, then the environment, then the file that one of them names.
  const sources = [flagSource(texts), environmentSource(readVariable, table)];
  const path = sources.find((source) => source.texts["config"] !== undefined)?.texts["config"];
  if (path !== undefined) sources.push(fileSource(path, { table, readTextFile }));

  return settled(parseValues(sources, table));
}

/** Those that make no sense for a server that is a part of a program. */
const NO_PART = [
  "games",
  "config",
  "build",
  "dev",
  "check-planck",
  "authorise",
  "workers",
  "worker-url",
  "scale-hook",
  "scale-seats",
] as const satisfies readonly (keyof Settings)[];

/** The settings of a server that is a part of a program, as the program gives them. */
export type GivenSettings = Readonly<Record<string, SettingValue | undefined>>;

/**
 * Checks the settings that a program gives, which read no command line, environment or file.
 * @param names of the hosted games, at least one
 * @throws UsageError for anything that is not allowed, naming the setting
 */
export function checkSettings(given: GivenSettings, names: readonly string[]): Settings {
  const table = flagsFor(names);
  const label = (name: string) => name;
  const source = valuesSource(given, { table: partSettings(names), label });
  return settled(parseValues([source, { texts: { games: "all" }, label }], table));
}

/** The table of those that a program may give. @param names as for `checkSettings` */
export function partSettings(names: readonly string[]): FlagTable {
  const left: readonly string[] = NO_PART;
  return Object.fromEntries(
    Object.entries(flagsFor(names)).filter(([name]) => !left.includes(name)),
  );
}

/** Checks the settings together, and decides what follows from several. @throws UsageError */
function settled(given: Settings): Settings {
  checkTogether(given);
  return { ...given, datagrams: datagramsOf(given) };
}

/**
 * Decides whether datagrams are on. By default a loopback server behind a proxy has none, because a
 * proxy does not forward UDP, so datagrams would be offered in vain; `--trust-proxy` or a name in
 * an origin shows that there is a proxy. A host or a port for UDP shows that datagrams do arrive.
 */
function datagramsOf(
  {
    datagrams,
    host,
    origin,
    "datagrams-host": udpHost,
    "datagrams-port": udpPort,
    "trust-proxy": proxies,
  }: Settings,
): Settings["datagrams"] {
  if (datagrams !== "auto" || udpHost !== undefined || udpPort !== undefined || !isLoopback(host)) {
    return datagrams;
  }
  const names = origin.map((each) => new URL(each).hostname.replace(/^\[(.*)\]$/, "$1"));
  return proxies.length > 0 || names.some((name) => !isLoopback(name)) ? "off" : "auto";
}

/** Every setting, as the log shows it. None of them is a secret, but some are paths to secrets. */
export function loggedSettings(settings: Settings): Record<string, string | number | boolean> {
  const shown = { ...settings, cluster: settings.cluster.map(withoutCredentials) };
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, plainValue(value)]),
  );
}

function isRate(value: object): value is Rate {
  return "burst" in value;
}

/** What settings can be: several texts are a list, numbers by name are for games. */
type SettingValue =
  | string
  | number
  | boolean
  | readonly string[]
  | Rate
  | Readonly<Record<string, number | string>>;

/** A value as flags have it. */
function plainValue(value: SettingValue | undefined): string | number | boolean {
  if (value === undefined) return "";
  if (typeof value !== "object") return value;
  if (value instanceof Array) return value.join(",");
  if (isRate(value)) return `${value.burst}/${value.perSecond}`;
  return Object.entries(value).map((entry) => entry.join("=")).join(",");
}

/** Checks what can fail only for several settings together. @throws UsageError */
function checkTogether(settings: Settings): void {
  const { signalling, ice, "ice-relay-only": relayOnly } = settings;
  if (!signalling && (ice.length > 0 || relayOnly)) {
    const name = relayOnly ? "ice-relay-only" : "ice";
    throw new UsageError(`--${name} is about rooms that pages host; it needs --signalling`);
  }
  if (relayOnly && !ice.some((address) => /^turns?:/i.test(address))) {
    throw new UsageError("--ice-relay-only needs a TURN server in --ice");
  }

  if ((settings["tls-cert"] === undefined) !== (settings["tls-key"] === undefined)) {
    throw new UsageError("--tls-cert and --tls-key belong together");
  }

  // Where it listens
  for (const name of ["host", "datagrams-host"] as const) {
    const host = settings[name];
    if (settings.public || host === undefined || isLoopback(host)) continue;
    throw new UsageError(`--${name} ${host} can be reached by strangers; it needs --public`);
  }
  for (const name of ["datagrams-host", "datagrams-port"] as const) {
    if (settings[name] !== undefined && settings.datagrams === "off") {
      throw new UsageError(`--${name} is for a server with --datagrams auto or on`);
    }
  }

  // A public server
  if (settings.public && settings.origin.length === 0) {
    throw new UsageError(
      "--public needs --origin, the address of the page, such as https://play.example.org",
    );
  }
  if (settings.public && settings.seed !== undefined) {
    throw new UsageError("--seed makes matches known before they are played; it excludes --public");
  }

  const authority = settings.authority ?? "full";
  const orders = typeof authority === "object" ? Object.values(authority) : [authority];
  if (settings.stream === "state" && orders.includes("order")) {
    throw new UsageError("--authority order has no state to send; it excludes --stream state");
  }

  checkWorkers(settings);
  checkCluster(settings);
  for (const name of ["dev", "check-planck"] as const) {
    if (settings.public && settings[name]) {
      throw new UsageError(`--${name} is for one's own machine; it excludes --public`);
    }
  }
  if (settings["check-planck"] && settings.stream === "state") {
    throw new UsageError(
      "--check-planck steps the ticks of pages again, which --stream state does not send",
    );
  }
}

/** @throws UsageError */
function checkCluster(
  {
    cluster,
    data,
    archive,
    "node-url": nodeUrl,
    "cluster-unsigned": unsigned,
    region,
    public: isPublic,
  }: Settings,
): void {
  // Settings that are meaningless for a machine on its own
  if (cluster.length === 0 && nodeUrl !== undefined) {
    throw new UsageError("--node-url names one machine of several; it needs --cluster");
  }
  if (cluster.length === 0 && unsigned) {
    throw new UsageError(
      "--cluster-unsigned believes other machines without a proof; it needs --cluster",
    );
  }
  if (cluster.length === 0 && region !== undefined) {
    throw new UsageError("--region says where one machine of several is; it needs --cluster");
  }
  if (cluster.length === 0 && archive !== undefined) {
    throw new UsageError("--archive keeps the logs of several machines; it needs --cluster");
  }

  // What one machine of several needs
  if (cluster.length > 0 && data === "off") {
    throw new UsageError(
      "--cluster needs --data: each machine keeps the matches that it plays in files, too",
    );
  }
  if (cluster.length > 0 && isPublic && nodeUrl === undefined) {
    throw new UsageError(
      "--cluster with --public needs --node-url, the address of this machine alone",
    );
  }
}

/** Names a setting's environment variable. */
function variableOf(name: string): string {
  return "WYVERN_" + name.toUpperCase().replaceAll("-", "_");
}

function environmentSource(
  readVariable: (name: string) => string | undefined,
  table: FlagTable,
): FlagSource {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(table)) {
    const label = variableOf(name);
    const text = readVariable(label);
    if (text !== undefined) putText(texts, { name, table, text, label });
  }
  return { texts, label: variableOf };
}

const FILE = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
);

/** @throws UsageError for a file that cannot be read, is not JSON, or contains an unknown name */
function fileSource(
  path: string,
  { table, readTextFile }: { table: FlagTable; readTextFile: (path: string) => string },
): FlagSource {
  const { config: _, ...others } = table;
  return valuesSource(parsedFile(path, readTextFile), {
    table: others,
    label: (name) => `${quoted(name)} in ${path}`,
  });
}

/** @throws UsageError for a name that is not in the table */
function valuesSource(
  values: GivenSettings,
  { table, label }: { readonly table: FlagTable; readonly label: (name: string) => string },
): FlagSource {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(table, name)) throw new UsageError(`${label(name)} is no setting`);
    putText(texts, { name, table, text: String(plainValue(value)), label: label(name) });
  }
  return { texts, label };
}

function parsedFile(path: string, readTextFile: (path: string) => string): z.output<typeof FILE> {
  try {
    return FILE.parse(JSON.parse(readTextFile(path)));
  } catch (error) {
    const reason = error instanceof z.ZodError
      ? "it has to be an object of texts, numbers and lists"
      : String(error);
    throw new UsageError(`--config ${path} cannot be used: ${reason.replaceAll(/\s+/g, " ")}`);
  }
}

/** Adds a setting's text to the others. A switch set to "false" or "0" counts as not given. */
function putText(
  texts: Record<string, string>,
  { name, table, text, label }: { name: string; table: FlagTable; text: string; label: string },
): void {
  if (!table[name]!.switch) return void (texts[name] = text);
  if (!["true", "1", "", "false", "0"].includes(text)) {
    throw new UsageError(`${label} has to be true or false`);
  }
  if (text !== "false" && text !== "0") texts[name] = "";
}
