import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { commandOf, NEUTRAL } from "../../../support/dragons.ts";
import { assert, assertEquals, assertLessOrEqual } from "@std/assert";
import type { Guesser } from "../../../../shared/netcode/game.ts";
import { CodeReader, CodeWriter } from "../../../../shared/netcode/wire/range_coder.ts";

/** Ticks for which the kit repeats held controls (SPEC 13.5). */
const ASSUME_HELD_TICKS = 4;

function* allCommands(): Generator<DragonCommand> {
  for (const dir of [-1, 0, 1] as const) {
    for (const flapHeld of [0, 1]) {
      for (let counters = 0; counters < 16; counters++) {
        yield { ...NEUTRAL, dir, flapHeld, flaps: counters & 3, fires: counters >> 2 };
      }
    }
  }
}

Deno.test("dragonGame.command: every command survives the wire after every other, in at most 4 bytes", () => {
  const writer = new CodeWriter();
  const all = [...allCommands()];
  for (const command of all) {
    for (const before of [all[0]!, all[77]!, all.at(-1)!, command]) {
      writer.reset();
      dragonGame.command.code(command, before, writer);
      const bytes = writer.finish();
      assertLessOrEqual(bytes.length, 4);
      const reader = new CodeReader(bytes);
      const read = dragonGame.command.code(NEUTRAL, before, reader);
      reader.end();
      assertEquals(read, command);
      assert(dragonGame.command.same(read, command));
    }
  }
});

Deno.test("dragonGame.command: a single press and a new direction take one byte each", () => {
  const writer = new CodeWriter();
  for (const command of [{ ...NEUTRAL, flaps: 1 }, { ...NEUTRAL, dir: 1 as const }]) {
    writer.reset();
    dragonGame.command.code(command, NEUTRAL, writer);
    assertEquals(writer.finish().length, 1);
  }
});

Deno.test("dragonGame.command: same compares every field", () => {
  const others: DragonCommand[] = [
    { ...NEUTRAL, dir: 1 },
    { ...NEUTRAL, flapHeld: 1 },
    { ...NEUTRAL, flaps: 1 },
    { ...NEUTRAL, fires: 1 },
  ];
  for (const other of others) assert(!dragonGame.command.same(NEUTRAL, other));
});

Deno.test("dragonGame.assume: held controls repeat for 200 ms and are then released; counters repeat for good (SPEC 1.14)", () => {
  const last: DragonCommand = { ...NEUTRAL, dir: -1, flapHeld: 1, flaps: 3, fires: 2 };
  for (let missing = 1; missing <= ASSUME_HELD_TICKS; missing++) {
    assertEquals(dragonGame.assume(last, missing), last);
  }
  for (const missing of [ASSUME_HELD_TICKS + 1, 20, 1000]) {
    assertEquals(dragonGame.assume(last, missing), { ...last, dir: 0, flapHeld: 0 });
  }
  assertEquals(dragonGame.assume(undefined, 1), NEUTRAL);
});

function fails(mistake: Error): never {
  throw mistake;
}

/** A guesser that has learned these commands, one a tick from tick 100. */
function learned(commands: readonly DragonCommand[]): Guesser<DragonCommand> {
  const guesser = dragonGame.newGuesser!(fails);
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
    return commandOf({ dir: 1, flapHeld: Number(i % (2 * ticks) < ticks), flaps: (time + 1) & 3 });
  });
}

const UP = commandOf({ dir: 1 });
const DOWN = commandOf({ dir: 1, flapHeld: 1, flaps: 1 });

Deno.test("CommandGuesser: a direction stays for half a second, presses for good, and nothing is guessed of a stranger", () => {
  const last = commandOf({ dir: -1, flaps: 3, fires: 2 });
  const guesser = learned([last]);
  for (const ticksMissing of [1, 4, 10]) assertEquals(guesser.guess(last, ticksMissing), last);
  for (const ticksMissing of [11, 500]) {
    assertEquals(guesser.guess(last, ticksMissing), commandOf({ flaps: 3, fires: 2 }));
  }
  assertEquals(dragonGame.newGuesser!(fails).guess(undefined, 1), NEUTRAL);
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
  const pressed = commandOf({ dir: 1, flapHeld: 1, flaps: 2 });
  assertEquals(guessedDownTicks(learned([UP, DOWN, DOWN, DOWN, DOWN, pressed]), pressed), 1);
});

Deno.test("CommandGuesser: it learns for how long a player holds the flap key", () => {
  const last = commandOf({ dir: 1, flapHeld: 1, flaps: 1 });
  assertEquals(guessedDownTicks(learned([...flapping(12, 10), last]), last), 7);
  assertEquals(guessedDownTicks(learned([...flapping(12, 10), ...flapping(20, 1), last]), last), 0);
});
