import { assertEquals, assertThrows } from "@std/assert";
import { Timeline } from "../../../shared/netcode/timeline.ts";
import { type CounterCommand, counterGame } from "../../tools/lab/counter_game.ts";

const going: CounterCommand = { presses: 1, dir: 1 };

function begun(): Timeline<CounterCommand> {
  const timeline = new Timeline(counterGame);
  timeline.begin(10, [{ seat: 3, last: undefined, ticksMissing: 0 }]);
  return timeline;
}

/** Guesses that the player goes on as before. */
function guessing(): Timeline<CounterCommand> {
  const guess = (last: CounterCommand | undefined) => last ?? counterGame.command.neutral;
  const timeline = new Timeline(counterGame, {
    newGuesser: () => ({ learn() {}, guess }),
    ownSeat: 4,
  });
  timeline.begin(10, [
    { seat: 3, last: going, ticksMissing: 0 },
    { seat: 4, last: going, ticksMissing: 0 },
    { seat: 16, last: going, ticksMissing: 0 },
  ]);
  return timeline;
}

function resolveTo(timeline: Timeline<CounterCommand>, from: number, to: number): boolean[] {
  return Array.from({ length: to - from + 1 }, (_, i) => timeline.resolve(from + i));
}

Deno.test("Timeline: known commands are used, missing ones assumed from the newest known, decaying (SPEC 1.3)", () => {
  const timeline = begun();
  timeline.announce(11, 3, going);
  resolveTo(timeline, 11, 16);
  assertEquals([11, 12, 14, 15, 16].map((tick) => timeline.commands(tick)[3]!.dir), [
    1,
    1,
    1,
    0,
    0,
  ]);
  assertEquals(timeline.commands(16)[3]!.presses, 1);
});

Deno.test("Timeline: a command that becomes known changes its tick and what is assumed after it", () => {
  const timeline = begun();
  resolveTo(timeline, 11, 16);
  timeline.announce(13, 3, going);
  assertEquals(resolveTo(timeline, 11, 16), [false, false, true, true, true, true]);
});

Deno.test("Timeline: an own command counts until its tick is definitive without it (SPEC 2.3, 2.9)", () => {
  const timeline = begun();
  timeline.setLocalCommand(11, 3, going);
  resolveTo(timeline, 11, 12);
  assertEquals(timeline.commands(11)[3], going);
  assertEquals(timeline.finalize(11), true);
  assertEquals(resolveTo(timeline, 11, 12), [true, true]);
  assertEquals(timeline.commands(11)[3], counterGame.assume(undefined, 1));
  timeline.setLocalCommand(12, 3, going);
  timeline.announce(12, 3, going);
  assertEquals(timeline.finalize(12), false);
});

Deno.test("Timeline: a seat is in the game exactly while it is present (SPEC 3.1)", () => {
  const timeline = begun();
  timeline.setPresence(12, 5, true);
  timeline.setPresence(14, 5, false);
  timeline.announce(11, 5, going);
  timeline.announce(12, 5, going);
  resolveTo(timeline, 11, 15);
  assertEquals([11, 12, 13, 14, 15].map((tick) => timeline.commands(tick)[5] !== undefined), [
    false,
    true,
    true,
    false,
    false,
  ]);
  assertEquals(timeline.recordsAt(13).map(({ seat }) => seat), [3, 5]);
});

Deno.test("Timeline: a seat that is entered again has no command from before (SPEC 1.13)", () => {
  const timeline = begun();
  timeline.announce(11, 3, going);
  // Resolved first with the seat present throughout, then again when its leaving is known.
  resolveTo(timeline, 11, 13);
  timeline.setPresence(12, 3, false);
  timeline.setPresence(13, 3, true);
  resolveTo(timeline, 11, 13);
  assertEquals(timeline.commands(13)[3], counterGame.assume(undefined, 1));
});

Deno.test("Timeline: a tick that has left the ring is refused", () => {
  const timeline = begun();
  timeline.announce(11 + 256, 3, going);
  assertThrows(() => timeline.commands(11), RangeError, "forgotten");
});

Deno.test("Timeline: a timeline that begins from another's records resolves the same commands", () => {
  const one = begun();
  const other = new Timeline(counterGame);
  one.announce(11, 3, going);
  resolveTo(one, 11, 13);
  other.begin(13, one.recordsAt(13));
  assertEquals(other.commands(13)[3], one.commands(13)[3]);
  resolveTo(one, 14, 18);
  resolveTo(other, 14, 18);
  for (let tick = 14; tick <= 18; tick++) assertEquals(other.commands(tick), one.commands(tick));
});

Deno.test("Timeline: a client guesses other players' commands, not its own and not NPCs' (SPEC 1.19)", () => {
  const timeline = guessing();
  for (let tick = 11; tick <= 20; tick++) timeline.resolve(tick, true);
  assertEquals([3, 4, 16].map((seat) => timeline.commands(20)[seat]!.dir), [1, 0, 0]);
  assertEquals(timeline.hasGuesses(20), true);
  timeline.announce(21, 3, going);
  timeline.resolve(21, true);
  assertEquals(timeline.hasGuesses(21), false);
});

Deno.test("Timeline: a guess stays until a known command contradicts it, or its tick is definitive (SPEC 1.19)", () => {
  const timeline = guessing();
  const turning: CounterCommand = { presses: 1, dir: -1 };
  for (let tick = 11; tick <= 20; tick++) timeline.resolve(tick, true);
  timeline.announce(12, 3, going);
  assertEquals(resolveTo(timeline, 11, 20).includes(true), false);
  timeline.announce(14, 3, turning);
  assertEquals(resolveTo(timeline, 11, 14), [false, false, false, true]);
  // Later guesses are made anew when their ticks are stepped again.
  for (let tick = 15; tick <= 20; tick++) assertEquals(timeline.resolve(tick, true), true);
  assertEquals(timeline.commands(20)[3], turning);
  // The server assumes that the player has let go by now.
  timeline.finalize(20);
  assertEquals(timeline.resolve(20), true);
  assertEquals(timeline.commands(20)[3], counterGame.assume(turning, 6));
});
