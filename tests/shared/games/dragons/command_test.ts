import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import {
  addPresses,
  assumeCommand,
  commandOf,
  type DragonCommand,
  dragonCommandCodec,
  NEUTRAL,
  newCommandGuesser,
  pressesSince,
} from "../../../../shared/games/dragons/command.ts";
import type { Guesser } from "../../../../shared/netcode/game.ts";
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
    for (let presses = 0; presses < 4; presses++) {
      assertEquals(pressesSince(seen, addPresses(seen, presses)), presses);
    }
  }
});

Deno.test("assumeCommand: held controls repeat for 150 ms and are then released; counters repeat for good (SPEC 1.14)", () => {
  const last: DragonCommand = { dir: -1, flapHeld: true, flaps: 3, fires: 2 };
  for (let missing = 1; missing <= ASSUME_HELD_TICKS; missing++) {
    assertEquals(assumeCommand(last, missing), last);
  }
  for (const missing of [ASSUME_HELD_TICKS + 1, 20, 1000]) {
    assertEquals(assumeCommand(last, missing), { dir: 0, flapHeld: false, flaps: 3, fires: 2 });
  }
  assertEquals(assumeCommand(undefined, 1), NEUTRAL);
});

/** A guesser that has learned these commands, one a tick from tick 100. */
function learned(commands: readonly DragonCommand[]): Guesser<DragonCommand> {
  const guesser = newCommandGuesser();
  commands.forEach((command, i) => guesser.learn(100 + i, command));
  return guesser;
}

/**
 * A player who flies to the right and keeps the flap key down for some ticks, then up for as many,
 * again and again.
 */
function flapping(times: number, ticks: number): DragonCommand[] {
  return Array.from({ length: times * 2 * ticks }, (_, i) => {
    const time = Math.floor(i / (2 * ticks));
    return commandOf({ dir: 1, flapHeld: i % (2 * ticks) < ticks, flaps: (time + 1) & 3 });
  });
}

const UP = commandOf({ dir: 1 });
const DOWN = commandOf({ dir: 1, flapHeld: true, flaps: 1 });

Deno.test("CommandGuesser: a direction stays for half a second, presses for good, and nothing is guessed of a stranger", () => {
  const last = commandOf({ dir: -1, flaps: 3, fires: 2 });
  const guesser = learned([last]);
  for (const ticksMissing of [1, 4, 10]) assertEquals(guesser.guess(last, ticksMissing), last);
  for (const ticksMissing of [11, 500]) {
    assertEquals(guesser.guess(last, ticksMissing), commandOf({ flaps: 3, fires: 2 }));
  }
  assertEquals(newCommandGuesser().guess(undefined, 1), NEUTRAL);
});

/**
 * For how many ticks after the newest known command, in which it is down, the flap key is guessed
 * to be down.
 */
function guessedDownTicks(guesser: Guesser<DragonCommand>, last: DragonCommand): number {
  let ticks = 0;
  while (guesser.guess(last, ticks + 1).flapHeld) ticks++;
  return ticks;
}

Deno.test("CommandGuesser: a flap key that went down is a tap, unless it has been down for longer than a tap", () => {
  assertEquals(guessedDownTicks(learned([UP, DOWN]), DOWN), 1);
  assertEquals(guessedDownTicks(learned([UP, DOWN, DOWN, DOWN]), DOWN), 0);
  assertEquals(guessedDownTicks(learned([UP, DOWN, DOWN, DOWN, DOWN]), DOWN), 10);
  // Another press: the key has been up meanwhile.
  const pressed = commandOf({ dir: 1, flapHeld: true, flaps: 2 });
  assertEquals(guessedDownTicks(learned([UP, DOWN, DOWN, DOWN, DOWN, pressed]), pressed), 1);
});

Deno.test("CommandGuesser: it learns for how long a player holds the flap key", () => {
  const last = commandOf({ dir: 1, flapHeld: true, flaps: 1 });
  assertEquals(guessedDownTicks(learned([...flapping(12, 10), last]), last), 7);
  assertEquals(guessedDownTicks(learned([...flapping(12, 10), ...flapping(20, 1), last]), last), 0);
});
