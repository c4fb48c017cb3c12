import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import {
  addPresses,
  assumeCommand,
  type DragonCommand,
  dragonCommandCodec,
  NEUTRAL,
  pressesSince,
} from "../../../../shared/games/dragons/command.ts";
import { ASSUME_HELD_TICKS } from "../../../../shared/games/dragons/tuning.ts";
import { CodeReader, CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";

function* allCommands(): Generator<DragonCommand> {
  for (const dir of [-1, 0, 1] as const) {
    for (const flapHeld of [false, true]) {
      for (let counters = 0; counters < 16; counters++) {
        yield { dir, flapHeld, flaps: counters & 3, fires: counters >> 2 };
      }
    }
  }
}

Deno.test("dragonCommandCodec: every command survives the wire after every other, in at most 4 bytes", () => {
  const writer = new CodeWriter();
  const all = [...allCommands()];
  for (const command of all) {
    for (const before of [all[0]!, all[77]!, all.at(-1)!, command]) {
      writer.reset();
      dragonCommandCodec.code(command, before, writer);
      const bytes = writer.finish();
      assertLessOrEqual(bytes.length, 4);
      const reader = new CodeReader(bytes);
      const read = dragonCommandCodec.code(NEUTRAL, before, reader);
      reader.end();
      assertEquals(read, command);
      assert(dragonCommandCodec.same(read, command));
    }
  }
});

Deno.test("dragonCommandCodec: a single press and a new direction take one byte each", () => {
  const writer = new CodeWriter();
  for (const command of [{ ...NEUTRAL, flaps: 1 }, { ...NEUTRAL, dir: 1 as const }]) {
    writer.reset();
    dragonCommandCodec.code(command, NEUTRAL, writer);
    assertEquals(writer.finish().length, 1);
  }
});

Deno.test("dragonCommandCodec: same compares every field", () => {
  const others: DragonCommand[] = [
    { ...NEUTRAL, dir: 1 },
    { ...NEUTRAL, flapHeld: true },
    { ...NEUTRAL, flaps: 1 },
    { ...NEUTRAL, fires: 1 },
  ];
  for (const other of others) assert(!dragonCommandCodec.same(NEUTRAL, other));
});

Deno.test("pressesSince: counts up to three presses, across the wrap", () => {
  for (let seen = 0; seen < 4; seen++) {
    for (let presses = 0; presses < 4; presses++) assertEquals(pressesSince(seen, addPresses(seen, presses)), presses);
  }
});

Deno.test("assumeCommand: held controls repeat for 150 ms and are then released; counters repeat for good (SPEC 1.14)", () => {
  const last: DragonCommand = { dir: -1, flapHeld: true, flaps: 3, fires: 2 };
  for (let missing = 1; missing <= ASSUME_HELD_TICKS; missing++) assertEquals(assumeCommand(last, missing), last);
  for (const missing of [ASSUME_HELD_TICKS + 1, 20, 1000]) {
    assertEquals(assumeCommand(last, missing), { dir: 0, flapHeld: false, flaps: 3, fires: 2 });
  }
  assertEquals(assumeCommand(undefined, 1), NEUTRAL);
});
