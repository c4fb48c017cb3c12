import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { DEFAULT_LIMITS, LIMIT_FLAGS, limitsOf } from "../../../server/settings/limits.ts";
import {
  parseSettings,
  type Settings,
  type SettingsPlaces,
  usageFor,
} from "../../../server/settings/settings.ts";
import { UsageError } from "../../../shared/flags.ts";

const NAMES = ["dragons", "puck", "haul"];

function parsed(args: string[], places?: SettingsPlaces): Settings {
  const settings = parseSettings(args, NAMES, places);
  if (settings === "help") throw new Error("help was not requested");
  return settings;
}

/** A file with settings. */
const fileOf = (value: unknown): SettingsPlaces => ({ readTextFile: () => JSON.stringify(value) });

Deno.test("parseSettings: no flags give the defaults and leave the seed open", () => {
  const { host, port, npcs, seed, stream, games, ...others } = parsed([]);
  assertEquals({ host, port, npcs, seed, stream, games }, {
    host: "127.0.0.1",
    port: 8080,
    npcs: undefined,
    seed: undefined,
    stream: "commands",
    games: ["dragons"],
  });
  for (const name of ["check-twin", "check-planck", "log-json", "dev", "public"] as const) {
    assertEquals(others[name], false, name);
  }
  assertEquals(limitsOf(others), DEFAULT_LIMITS);
});

Deno.test("parseSettings: every flag is read, with a space or an equals sign; the later of two counts", () => {
  const args = [
    "--host",
    "::1",
    "--port=0",
    "--npcs",
    "16",
    "--npcs=0",
    "--seed",
    "4294967295",
    "--stream",
    "state",
  ];
  const settings = parsed([
    ...args,
    "--check-twin",
    "--log-json",
    "--games",
    "puck",
    "--upgrades-per-address",
    "5/1",
  ]);
  assertEquals([settings.host, settings.port, settings.npcs, settings.seed], [
    "::1",
    0,
    0,
    4_294_967_295,
  ]);
  assertEquals([settings.stream, settings["check-twin"], settings["log-json"]], [
    "state",
    true,
    true,
  ]);
  assertEquals([settings.games, settings["upgrades-per-address"]], [["puck"], {
    burst: 5,
    perSecond: 1,
  }]);
});

Deno.test("parseSettings: a flag counts more than a variable, and a variable more than the file (SPEC 14.1)", () => {
  const variables = new Map([["WYVERN_ROOMS", "30"], ["WYVERN_NPCS", "3"], [
    "WYVERN_LOG_JSON",
    "true",
  ]]);
  const places = {
    readVariable: (name: string) => variables.get(name),
    ...fileOf({ rooms: 20, npcs: 2, port: 9000 }),
  };
  const settings = parsed(["--config", "wyvern.json", "--rooms", "40"], places);
  assertEquals([settings.rooms, settings.npcs, settings.port, settings["log-json"]], [
    40,
    3,
    9000,
    true,
  ]);
});

Deno.test("parseSettings: a list is an array in the file and has commas elsewhere; a switch is true or false", () => {
  const settings = parsed(
    ["--config", "f"],
    fileOf({ "trust-proxy": ["10.0.0.0/8", "::1"], "log-json": false }),
  );
  assertEquals([settings["trust-proxy"], settings["log-json"]], [["10.0.0.0/8", "::1"], false]);
  assertEquals(parsed(["--origin", "https://a.example,https://b.example:8443"]).origin.length, 2);
});

Deno.test("parseSettings: --check-planck is for one's own machine, and needs exact pages (SPEC 9.91)", () => {
  assertEquals(parsed(["--check-planck"])["check-planck"], true);
  const isPublic = ["--public", "--origin", "https://a.example", "--check-planck"];
  assertThrows(() => parsed(isPublic), UsageError, "--check-planck is for one's own machine");
  const streams = ["--check-planck", "--stream", "state"];
  assertThrows(() => parsed(streams), UsageError, "which --stream state does not send");
});

Deno.test("parseSettings: how pages connect is for --signalling, and a relay alone needs one (SPEC 23.7)", () => {
  const relay = "turn:ann:pass@turn.example.org:3478";
  const messageOf = (...args: string[]) => assertThrows(() => parsed(args), UsageError).message;
  assertEquals(
    [messageOf("--ice", relay), messageOf("--ice-relay-only")],
    ["--ice", "--ice-relay-only"].map((name) =>
      `${name} is about rooms that pages host; it needs --signalling`
    ),
  );
  assertEquals(
    messageOf("--signalling", "--ice", "stun:stun.example.org", "--ice-relay-only"),
    "--ice-relay-only needs a TURN server in --ice",
  );
  for (
    const wrong of ["http://example.org", "turn:example.org", "stun:a b", "turn:ann@example.org"]
  ) {
    assertStringIncludes(messageOf("--signalling", "--ice", wrong), "--ice cannot be");
  }
  const settings = parsed(["--signalling", "--ice", relay, "--ice-relay-only"]);
  assertEquals([settings.ice, settings["ice-relay-only"]], [[relay], true]);
});

Deno.test("parseSettings: every limit is a setting of its own", () => {
  for (const name of Object.keys(LIMIT_FLAGS)) {
    const changed = limitsOf(
      parsed([
        `--${name}`,
        name.includes("messages") || name.match(/requests-per-a|upgr/) ? "7/3" : "7",
      ]),
    );
    const differing = Object.entries(changed).filter(([key, value]) =>
      JSON.stringify(value) !== JSON.stringify(DEFAULT_LIMITS[key as keyof typeof changed])
    );
    assertEquals(differing.length, 1, name);
  }
});

Deno.test("parseSettings: --help yields help, and the usage names every flag", () => {
  assertEquals(parseSettings(["--npcs", "3", "--help"], NAMES), "help");
  for (
    const flag of [
      "--games",
      "--host",
      "--port",
      "--npcs",
      "--seed",
      "--stream",
      "--check-twin",
      "--log-json",
    ]
  ) {
    assertStringIncludes(usageFor(NAMES), flag);
  }
});

Deno.test("usageFor: --help has the ten settings that people use, and says how to see all (SPEC 14.1)", () => {
  const flagsOf = (...args: string[]) =>
    [...usageFor(NAMES, { args }).matchAll(/^ {2}--(help all|[\w-]+) /gm)].map(([, flag]) => flag!);
  const first = flagsOf("--port", "1", "--help");
  assertEquals(first.length, 12);
  assertEquals(first.slice(-2), ["help", "help all"]);
  assertEquals(flagsOf("--help", "--port"), first);

  const all = flagsOf("--help", "all");
  assertEquals(all.length, Object.keys(parsed([])).length + 2);
  assertEquals(flagsOf("--help=all"), all);
  assertEquals(first.filter((flag) => !all.includes(flag)), []);
  const [count] = /all \d+ settings/.exec(usageFor(NAMES, { args: ["--help"] }))!;
  assertEquals(count, `all ${all.length - 2} settings`);
  for (const args of [["--help", "all"], ["--help=all"]]) {
    assertEquals(parseSettings(args, NAMES), "help");
  }
});

Deno.test("parseSettings: --games takes a list or all, each game once, in the order of the registry (SPEC 7.16)", () => {
  const gamesOf = (list: string) => {
    const config = parseSettings(["--games", list], NAMES);
    return config === "help" ? config : config.games;
  };
  assertEquals(gamesOf("all"), NAMES);
  assertEquals(gamesOf("haul,dragons,haul"), ["dragons", "haul"]);
  assertEquals(gamesOf("puck"), ["puck"]);
});

/**
 * Arguments, and what the error message has to name: the flag, the given value and the allowed
 * values.
 */
const WRONG: readonly [args: string[], ...named: string[]][] = [
  [["--host", "a b"], "--host", '"a b"', "a name or address"],
  [["--host", "--port"], "--host", '"--port"', "a name or address"],
  [["--host="], "--host", '""', "a name or address"],
  [["--port", "65536"], "--port", '"65536"', "0 to 65535"],
  [["--port", "80x"], "--port", '"80x"', "0 to 65535"],
  [["--port", "-1"], "--port", '"-1"', "0 to 65535"],
  [["--port", "1e3"], "--port", '"1e3"', "0 to 65535"],
  [["--port", "0x50"], "--port", '"0x50"', "0 to 65535"],
  [["--port", ""], "--port", '""', "0 to 65535"],
  [["--port"], "--port", "needs a value", "0 to 65535"],
  [["--npcs", "17"], "--npcs", '"17"', "0 to 16"],
  [["--npcs", "1.5"], "--npcs", '"1.5"', "0 to 16"],
  [["--seed", "4294967296"], "--seed", '"4294967296"', "0 to 4294967295"],
  [["--seed", "99999999999999999999"], "--seed", '"99999999999999999999"', "0 to 4294967295"],
  [["--games", "chess"], "--games", '"chess"', "some of dragons,puck,haul, or all"],
  [["--games", "dragons,chess"], "--games", '"dragons,chess"', "some of dragons,puck,haul, or all"],
  [["--games", "dragons,"], "--games", '"dragons,"'],
  [["--games", "Puck"], "--games", '"Puck"'],
  [["--games="], "--games", '""'],
  [["--games"], "--games", "needs a value"],
  [["--stream", "poses"], "--stream", '"poses"', "commands or state"],
  [["--stream", "State"], "--stream", '"State"', "commands or state"],
  [["--log-json=yes"], "--log-json", "takes no value"],
  [["--prot", "8080"], '"--prot"', "--port"],
  [["--constructor", "8080"], '"--constructor"', "--port"],
  [["-p", "8080"], '"-p"', "--port"],
  [["8080"], '"8080"', "--port"],
  [["--port", "80", "--", "x"], '"x"', "--port"],
  [["--rooms", "0"], "--rooms", '"0"', "1 to 10000"],
  [["--messages-per-link", "9"], "--messages-per-link", '"9"', "BURST/PERSECOND"],
  [["--trust-proxy", "10.0.0.0/33"], "--trust-proxy", '"10.0.0.0/33"', "networks"],
  [["--origin", "https://a.example/"], "--origin", '"https://a.example/"'],
  [["--embed-in", "*"], "--embed-in", '"*"', "https://*.example.org"],
  [["--embed-in", "https://a.example; script-src *"], "--embed-in", "origins"],
  [["--embed-in", Array(20).fill(`https://${"a".repeat(60)}.example`).join()], "at most 1,024"],
  [["--tls-cert", "a.pem"], "--tls-key"],
  [["--datagrams", "on", "--datagrams-host", "0.0.0.0"], "--public"],
  [["--datagrams", "off", "--datagrams-host", "127.0.0.1"], "--datagrams auto or on"],
  [["--datagrams", "off", "--datagrams-port", "9443"], "--datagrams auto or on"],
  [["--host", "0.0.0.0"], "--host 0.0.0.0", "--public"],
  [["--public"], "--public", "--origin"],
  [["--public", "--origin", "https://a.example", "--dev"], "--dev", "--public"],
  [["--config", "/no/such/file"], "--config /no/such/file"],
  [["--port", "8\n\u001b[31m0"], "--port", '"8\\n\\u001b[31m0"'],
];

for (const [args, ...named] of WRONG) {
  Deno.test(`parseSettings: ${JSON.stringify(args)} is refused in one line that names the allowed values`, () => {
    const { message } = assertThrows(() => parseSettings(args, NAMES), UsageError);
    for (const part of named) assertStringIncludes(message, part);
    assert(!message.includes("\n"), message);
  });
}

Deno.test("parseSettings: there are no datagrams that players could not reach (SPEC 16.42)", () => {
  const behind = ["--public", "--origin", "https://play.example.org"];
  for (
    const [args, expected] of [
      [[], "auto"],
      [["--origin", "http://127.0.0.1:9000,http://localhost:9000,http://[::1]:9000"], "auto"],
      [["--trust-proxy", "127.0.0.1"], "off"],
      [behind, "off"],
      [["--host", "::1", ...behind], "off"],
      [["--host", "0.0.0.0", ...behind, "--trust-proxy", "10.0.0.1"], "auto"],
      [[...behind, "--datagrams-host", "0.0.0.0"], "auto"],
      [[...behind, "--datagrams-port", "9443"], "auto"],
      [[...behind, "--datagrams", "on"], "on"],
    ] as const
  ) {
    const settings = parseSettings([...args], NAMES);
    assert(settings !== "help");
    assertEquals([args, settings.datagrams], [args, expected]);
  }
});

/** Contents of a file of settings, and what the error message has to name. */
const WRONG_FILES: readonly [content: unknown, ...named: string[]][] = [
  [[1], "--config f"],
  [{ rooms: {} }, "--config f"],
  [{ room: 3 }, '"room" in f', "no setting"],
  [{ config: "g" }, '"config" in f', "no setting"],
  [{ rooms: 0 }, '"rooms" in f', "1 to 10000"],
  [{ "log-json": "yes" }, '"log-json" in f', "true or false"],
];

for (const [content, ...named] of WRONG_FILES) {
  Deno.test(`parseSettings: a file with ${JSON.stringify(content)} is refused in one line (SPEC 14.1)`, () => {
    const { message } = assertThrows(() => parsed(["--config", "f"], fileOf(content)), UsageError);
    for (const part of named) assertStringIncludes(message, part);
    assert(!message.includes("\n"), message);
  });
}

Deno.test("parseSettings: a wrong variable is refused by its name (SPEC 14.1)", () => {
  const readVariable = (name: string) => name === "WYVERN_PORT" ? "x" : undefined;
  assertStringIncludes(
    assertThrows(() => parsed([], { readVariable }), UsageError).message,
    "WYVERN_PORT",
  );
});
