/** What a page asks for when a slider moves. */
import { assertEquals } from "@std/assert";
import { tuneLine } from "../../../../client/game_kit/tune/tune_panel.ts";
import { Tuner } from "../../../../client/game_kit/tune/tuner.ts";
import { tune } from "../../../../shared/game_kit/game_kit.ts";

/** A tuner whose commands are texts, and what it asks for in the next ticks. */
function tunerAndAsks() {
  const tuner = new Tuner<string>((command, name, value) => `${command} ${name}=${value}`);
  const source = tuner.sourceOver({ next: () => "go", peek: () => "peek" });
  const asks = (ticks: number) => Array.from({ length: ticks }, (_, i) => source.next(i, "go"));
  return { tuner, source, asks };
}

Deno.test("Tuner: asks for each constant in turns until it is definitive (SPEC 13.122)", () => {
  const { tuner, source, asks } = tunerAndAsks();
  assertEquals(asks(1), ["go"]);
  tuner.set("speed", 5);
  tuner.set("wind", 1);
  assertEquals(asks(3), ["go speed=5", "go wind=1", "go speed=5"]);
  assertEquals(source.peek!("go"), "peek", "what is only drawn asks for nothing");

  // Another page's value is not the wanted one.
  tuner.see({ speed: 4, wind: 1 }, 3);
  assertEquals([tuner.wanted("speed"), tuner.wanted("wind")], [5, undefined]);
  tuner.set("speed", 6);
  assertEquals(asks(2), ["go speed=6", "go speed=6"]);
  tuner.see({ speed: 6, wind: 0 }, 3);
  assertEquals(asks(1), ["go"]);
});

Deno.test("Tuner: another page's equal value ends no wish while an earlier one is on its way (SPEC 13.122)", () => {
  const { tuner, source } = tunerAndAsks();
  tuner.set("speed", 5);
  source.next(10, "go");
  tuner.set("speed", 3);
  tuner.see({ speed: 3 }, 9);
  assertEquals(source.next(11, "go"), "go speed=3", "tick 10 will set 5");
  tuner.see({ speed: 3 }, 10);
  assertEquals(tuner.wanted("speed"), 3);
  tuner.see({ speed: 3 }, 11);
  assertEquals(tuner.wanted("speed"), undefined);
});

Deno.test("TunePanel: the line to copy declares the value as the author wrote the constant (SPEC 13.123)", () => {
  assertEquals(
    tuneLine("speed", tune(4, { min: 0, max: 10 }), 7.5),
    "speed: tune(7.5, { min: 0, max: 10 }),",
  );
  assertEquals(
    tuneLine("wind", tune(0, { min: -1, max: 1, step: 0.1 }), 0.3),
    "wind: tune(0.3, { min: -1, max: 1, step: 0.1 }),",
  );
});
