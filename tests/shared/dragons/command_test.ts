import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  assumeCommand,
  type DragonCommand,
  dragonCommandCodec,
  NEUTRAL,
  pressed,
  pressesSince,
} from "../../../shared/dragons/command.ts";
import { ASSUME_HELD_TICKS } from "../../../shared/dragons/tuning.ts";
import { BitReader, BitWriter, WireError } from "../../../shared/netcode/bytes.ts";

function* allCommands(): Generator<DragonCommand> {
  for (const dir of [-1, 0, 1] as const) {
    for (const hold of [false, true]) {
      for (let counters = 0; counters < 64; counters++) {
        yield { dir, hold, flaps: counters & 3, fires: (counters >> 2) & 3, tethers: counters >> 4 };
      }
    }
  }
}

Deno.test("dragonCommandCodec: every command survives the wire in at most 10 bits and is the same as no other", () => {
  const seen = new Set<string>();
  for (const command of allCommands()) {
    const writer = new BitWriter();
    dragonCommandCodec.encode(command, writer);
    // Six bits more still fit two bytes: the command took at most ten.
    writer.bits(0x3f, 6);
    assertEquals(writer.bytes().length, 2);
    const reader = new BitReader(writer.bytes());
    const decoded = dragonCommandCodec.decode(reader);
    assertEquals(decoded, command);
    assert(dragonCommandCodec.same(decoded, command));
    seen.add(writer.bytes().join());
  }
  assertEquals(seen.size, 3 * 2 * 64);
});

Deno.test("dragonCommandCodec: same tells every field apart", () => {
  const others: DragonCommand[] = [
    { ...NEUTRAL, dir: 1 },
    { ...NEUTRAL, hold: true },
    { ...NEUTRAL, flaps: 1 },
    { ...NEUTRAL, fires: 1 },
    { ...NEUTRAL, tethers: 1 },
  ];
  for (const other of others) assert(!dragonCommandCodec.same(NEUTRAL, other));
});

Deno.test("dragonCommandCodec: the fourth direction is a WireError, and so is half a command", () => {
  assertThrows(() => dragonCommandCodec.decode(new BitReader(new Uint8Array([0x03, 0x00]))), WireError);
  assertThrows(() => dragonCommandCodec.decode(new BitReader(new Uint8Array([0x01]))), WireError);
});

Deno.test("pressesSince: counts up to three presses, across the wrap", () => {
  for (let seen = 0; seen < 4; seen++) {
    for (let presses = 0; presses < 4; presses++) assertEquals(pressesSince(seen, pressed(seen, presses)), presses);
  }
});

Deno.test("assumeCommand: what is held goes on for 150 ms, then hands are off; counters repeat for ever", () => {
  const last: DragonCommand = { dir: -1, hold: true, flaps: 3, fires: 2, tethers: 1 };
  for (let missing = 1; missing <= ASSUME_HELD_TICKS; missing++) assertEquals(assumeCommand(last, missing), last);
  for (const missing of [ASSUME_HELD_TICKS + 1, 20, 1000]) {
    assertEquals(assumeCommand(last, missing), { dir: 0, hold: false, flaps: 3, fires: 2, tethers: 1 });
  }
  assertEquals(assumeCommand(undefined, 1), NEUTRAL);
});
