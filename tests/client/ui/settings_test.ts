import { assertEquals } from "@std/assert";
import { dragonView } from "../../../client/games/dragons/view.ts";
import { defaultBindings } from "../../../client/input/key_bindings.ts";
import { parseSettings, storedSettings } from "../../../client/ui/settings.ts";
import { ACTIONS } from "../input/actions.ts";

const SCHEMA = { storedAs: "dragons", actions: ACTIONS, colours: dragonView.colours.names };
const DEFAULT_BINDINGS = defaultBindings(ACTIONS);

Deno.test("parseSettings: broken stored settings give the defaults, usable parts stay", () => {
  for (const broken of [null, "", "{", "null", "7", '{"colour":"mud","name":7,"keys":3}']) {
    const { name, colour, keys, oneButton } = parseSettings(broken, SCHEMA);
    assertEquals({ name, colour, keys, oneButton }, {
      name: "",
      colour: "sky",
      keys: DEFAULT_BINDINGS,
      oneButton: false,
    });
  }

  assertEquals(parseSettings('{"colour":"mint","oneButton":true}', SCHEMA).colour, "mint");
  const { rumble, keepAwake } = parseSettings('{"rumble":false,"keepAwake":"no"}', SCHEMA);
  assertEquals([rumble, keepAwake], [false, true]);
  const qualities = ["full", "simple", "automatic", "best", 3].map((quality) => (
    parseSettings(JSON.stringify({ quality }), SCHEMA).quality
  ));
  assertEquals(qualities, ["full", "simple", "automatic", "automatic", "automatic"]);
  const delayOf = (stored: unknown) =>
    parseSettings(JSON.stringify({ inputDelay: stored }), SCHEMA).inputDelay;
  assertEquals([0, 3, "automatic"].map(delayOf), [0, 3, "automatic"]);
  assertEquals([undefined, null, "1", 4, -1, 1.5, {}].map(delayOf), new Array(7).fill("automatic"));
  const volumeOf = (
    text: string,
  ) => [parseSettings(text, SCHEMA).volume, parseSettings(text, SCHEMA).muted];
  assertEquals(volumeOf('{"volume":0.2,"muted":true}'), [0.2, true]);
  assertEquals(volumeOf('{"volume":7,"muted":"yes"}'), [0.5, false]);
});

Deno.test("storedSettings: each game has its own keys and colour, all share the rest (SPEC 13.35)", () => {
  const other = { ...SCHEMA, storedAs: "puck", colours: ["red", "green"] };
  const dragons = {
    ...parseSettings(null, SCHEMA),
    name: "Ash",
    colour: "mint",
    keys: { ...DEFAULT_BINDINGS, fire: ["KeyQ"] },
  };
  const first = storedSettings(dragons, SCHEMA, null);
  assertEquals(parseSettings(first, SCHEMA), dragons);
  const puck = parseSettings(first, other);
  assertEquals([puck.name, puck.colour, puck.keys.fire], ["Ash", "red", DEFAULT_BINDINGS.fire]);
  const changed = {
    ...puck,
    name: "Wren",
    colour: "green",
    keys: { ...puck.keys, flap: ["KeyP"] },
  };
  const second = storedSettings(changed, other, first);
  assertEquals(parseSettings(second, SCHEMA), { ...dragons, name: "Wren" });
  assertEquals(parseSettings(second, other), changed);
  assertEquals(parseSettings(storedSettings(changed, other, "damaged"), other), changed);
});

Deno.test("parseSettings: a game begins with the keys and colour of a page that had one game (SPEC 13.35)", () => {
  const keys = { ...DEFAULT_BINDINGS, fire: ["KeyQ"] };
  const plain = JSON.stringify({ keys, colour: "mint" });
  const first = parseSettings(plain, SCHEMA);
  assertEquals([first.colour, first.keys], ["mint", keys]);
  const changed = storedSettings({ ...first, colour: "sky" }, SCHEMA, plain);
  assertEquals(parseSettings(changed, SCHEMA).colour, "sky");
});
