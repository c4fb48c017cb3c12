import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parseConfig, usageFor } from "../../server/config.ts";
import { UsageError } from "../../shared/flags.ts";

const NAMES = ["dragons", "puck", "haul"];

Deno.test("parseConfig: no flags give the defaults and leave the seed open", () => {
  assertEquals(parseConfig([], NAMES), {
    host: "127.0.0.1",
    port: 8080,
    npcs: 4,
    seed: undefined,
    stream: "commands",
    "check-twin": false,
    "log-json": false,
    dev: false,
    games: ["dragons"],
  });
});

Deno.test("parseConfig: every flag is read, with a space or an equals sign; the later of two counts", () => {
  const args = ["--host", "::1", "--port=0", "--npcs", "16", "--npcs=0", "--seed", "4294967295", "--stream", "state"];
  assertEquals(parseConfig([...args, "--check-twin", "--log-json", "--games", "puck"], NAMES), {
    host: "::1",
    port: 0,
    npcs: 0,
    seed: 4_294_967_295,
    stream: "state",
    "check-twin": true,
    "log-json": true,
    dev: false,
    games: ["puck"],
  });
});

Deno.test("parseConfig: --help yields help, and the usage names every flag", () => {
  assertEquals(parseConfig(["--npcs", "3", "--help"], NAMES), "help");
  for (const flag of ["--games", "--host", "--port", "--npcs", "--seed", "--stream", "--check-twin", "--log-json"]) {
    assertStringIncludes(usageFor(NAMES), flag);
  }
});

Deno.test("parseConfig: --games takes a list or all, each game once, in the order of the registry (SPEC 7.16)", () => {
  const gamesOf = (list: string) => {
    const config = parseConfig(["--games", list], NAMES);
    return config === "help" ? config : config.games;
  };
  assertEquals(gamesOf("all"), NAMES);
  assertEquals(gamesOf("haul,dragons,haul"), ["dragons", "haul"]);
  assertEquals(gamesOf("puck"), ["puck"]);
});

/** Arguments, and what the error message has to name: the flag, the given value and the allowed values. */
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
  [["--port", "8\n\u001b[31m0"], "--port", '"8\\n\\u001b[31m0"'],
];

for (const [args, ...named] of WRONG) {
  Deno.test(`parseConfig: ${JSON.stringify(args)} is refused in one line that names the allowed values`, () => {
    const { message } = assertThrows(() => parseConfig(args, NAMES), UsageError);
    for (const part of named) assertStringIncludes(message, part);
    assert(!message.includes("\n"), message);
  });
}
