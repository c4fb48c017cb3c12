import { assertEquals } from "@std/assert";
import { DRAGON_ACTIONS } from "../../../client/games/dragons/controls.ts";
import { dragonView } from "../../../client/games/dragons/view.ts";
import { defaultBindings } from "../../../client/input/key_bindings.ts";
import { parseSettings } from "../../../client/ui/settings.ts";

const SCHEMA = { game: "dragons-5", actions: DRAGON_ACTIONS, colours: dragonView.colours.names };
const DEFAULT_BINDINGS = defaultBindings(DRAGON_ACTIONS);

Deno.test("parseSettings: broken stored settings give the defaults, usable parts stay", () => {
  for (const broken of [{}, { colour: "mud", name: 7, keys: 3 }]) {
    const { name, colour, keys, oneButton } = parseSettings(broken, SCHEMA);
    assertEquals({ name, colour, keys, oneButton }, {
      name: "",
      colour: "sky",
      keys: DEFAULT_BINDINGS,
      oneButton: false,
    });
  }
  assertEquals(parseSettings({ colour: "mint", oneButton: true }, SCHEMA).colour, "mint");
  const { rumble, keepAwake } = parseSettings({ rumble: false, keepAwake: "no" }, SCHEMA);
  assertEquals([rumble, keepAwake], [false, true]);
  const qualities = ["full", "simple", "automatic", "best", 3].map((quality) => (
    parseSettings({ quality }, SCHEMA).quality
  ));
  assertEquals(qualities, ["full", "simple", "automatic", "automatic", "automatic"]);
  const delayOf = (stored: unknown) => parseSettings({ inputDelay: stored }, SCHEMA).inputDelay;
  assertEquals([0, 3, "automatic"].map(delayOf), [0, 3, "automatic"]);
  assertEquals([undefined, null, "1", 4, -1, 1.5, {}].map(delayOf), new Array(7).fill("automatic"));
  const volumeOf = (stored: Record<string, unknown>) => {
    const { volume, muted } = parseSettings(stored, SCHEMA);
    return [volume, muted];
  };
  assertEquals(volumeOf({ volume: 0.2, muted: true }), [0.2, true]);
  assertEquals(volumeOf({ volume: 7, muted: "yes" }), [0.5, false]);
});
