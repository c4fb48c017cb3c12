/** What pages guess of rivals' commands: by default, and as a game's author says. */
import { assert, assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import {
  aim,
  axis,
  defineGame,
  dial,
  type Guess,
  hold,
  press,
  type SeenPart,
} from "../../../shared/game_kit/game_kit.ts";
import type { Guesser } from "../../../shared/netcode/game.ts";
import { Lab } from "../../tools/lab/lab.ts";
import { RandomAsks } from "./random_asks.ts";
import { BALL, BASE } from "./small_game.ts";
import { yardGame } from "./yard_game.ts";

interface Guesses {
  readonly dx?: Guess<number>;
  readonly dy?: Guess<number>;
  readonly brake?: Guess<boolean>;
}

/** A game with a part of each kind. */
function gameOf({ dx, dy, brake }: Guesses = {}, tickHz = 20) {
  return defineGame({
    ...BASE,
    tickHz,
    command: {
      dx: axis({ ...dx && { guess: dx } }),
      dy: axis({ steps: 8, up: true, ...dy && { guess: dy } }),
      jump: press(),
      glide: hold({ of: "jump" }),
      brake: hold({ ...brake && { guess: brake } }),
      at: aim(),
      gear: dial({ values: 5 }),
    },
    things: { car: BALL },
    player: "car",
  }, { enter: (_world, seat) => ({ x: seat, y: 2 }) });
}

const game = gameOf();
const { neutral } = game.command;
type Sent = typeof neutral;

const ALL: Sent = { dx: -1, dy: 5, jump: 3, glide: 1, brake: 1, at: 77, gear: 4 };

function fails(mistake: Error): never {
  throw mistake;
}

/** A guesser that knows these commands, one a tick from tick 100. */
function learned(
  commands: readonly Sent[],
  of = game,
  report: (mistake: Error) => void = fails,
): Guesser<Sent> {
  const guesser = of.newGuesser!(report);
  commands.forEach((command, i) => guesser.learn(100 + i, command));
  return guesser;
}

/** For how many ticks a guess holds the part after the newest known command. */
function heldTicks(guesser: Guesser<Sent>, last: Sent, part: keyof Sent): number {
  let ticks = 0;
  while (guesser.guess(last, ticks + 1)[part] === last[part]) ticks++;
  return ticks;
}

/** Someone who holds the brake for some ticks, then not for as many, again and again. */
function braking(times: number, ticks: number): Sent[] {
  return Array.from(
    { length: times * 2 * ticks },
    (_, i) => ({ ...neutral, brake: Number(i % (2 * ticks) < ticks) }),
  );
}

Deno.test("Kit: a guessed axis stays for 0.5 s at any rate; presses, aims and dials stay (SPEC 13.80)", () => {
  const guesser = learned([ALL]);
  assert(guesser.guess(ALL, 1).dx === -1);
  assertEquals(guesser.guess(ALL, 10), { ...ALL, glide: 0, brake: 0 });
  assertEquals(guesser.guess(ALL, 11), { ...ALL, dx: 0, dy: 0, glide: 0, brake: 0 });
  assert(guesser.guess(undefined, 1) === neutral);

  const fast = learned([ALL], gameOf({}, 60));
  assertEquals([heldTicks(fast, ALL, "dx"), heldTicks(fast, ALL, "dy")], [30, 30]);
});

Deno.test("Kit: a button comes up when this player's usually does, or after 0.5 s if it is held (SPEC 13.81)", () => {
  const down: Sent = { ...neutral, brake: 1 };
  const downTicks = (...before: Sent[]) => heldTicks(learned([...before, down]), down, "brake");

  // Of a stranger a tap of 0.1 s is expected, and after 0.2 s a hold.
  assertEquals(downTicks(), 1);
  assertEquals(downTicks(down), 0);
  assertEquals(downTicks(down, down, down), 10);

  // Of somebody who holds it for 10 ticks that is expected, and of one who taps no longer.
  assertEquals(downTicks(...braking(12, 10)), 7);
  assertEquals(downTicks(...braking(12, 10), ...braking(20, 1)), 0);
});

Deno.test("Kit: another press of the same button begins a new hold (SPEC 13.81)", () => {
  const first: Sent = { ...neutral, jump: 1, glide: 1 };
  const again: Sent = { ...neutral, jump: 2, glide: 1 };
  assertEquals(heldTicks(learned([first, first, first, first]), first, "glide"), 10);
  assertEquals(heldTicks(learned([first, first, first, first, again]), again, "glide"), 1);
});

Deno.test("Kit: a part's own guess sees what rules see, and is rounded as a command is (SPEC 13.82)", () => {
  const seen: SeenPart<number>[] = [];
  const fades: Guess<number> = (part) => {
    seen.push(part);
    return part.value * (1 - part.missingTicks / 4);
  };
  const own = gameOf({
    dy: fades,
    dx: ({ missingTicks }) => missingTicks > 2 ? -7 : 7,
    brake: ({ value, heldTicks }) => value && heldTicks > 1,
  });
  const guesser = learned([{ ...neutral, dy: 5 }, ALL], own);
  assertEquals([1, 2, 3].map((ticks) => guesser.guess(ALL, ticks)), [
    { ...ALL, dx: 1, dy: 4, brake: 0 },
    { ...ALL, dx: 1, dy: 3, glide: 0, brake: 0 },
    { ...ALL, dx: -1, dy: 1, glide: 0, brake: 0 },
  ]);
  assertEquals(seen[0], { value: 5 / 8, missingTicks: 1, heldTicks: 2, usualTicks: 2, tickHz: 20 });
  assertEquals(learned([ALL, ALL], own).guess(ALL, 1).brake, 1);
});

Deno.test("Kit: the kit guesses in place of a guess that fails, which is named once (SPEC 13.140)", () => {
  const mistakes: Error[] = [];
  const report = (mistake: Error): void => void mistakes.push(mistake);
  const own = gameOf({
    dx: ({ missingTicks }) => missingTicks === 2 ? 1 : NaN,
    dy: () => (undefined as unknown as { y: number }).y,
    brake: () => 1 as unknown as boolean,
  });
  const usual = learned([ALL, ALL, ALL]);
  const guesser = learned([ALL, ALL, ALL], own, report);
  const rival = learned([ALL], own, report);
  rival.guess(ALL, 1);

  // Only the calls that fail are the kit's.
  for (const ticks of [1, 3, 10, 11]) {
    assertEquals(guesser.guess(ALL, ticks), usual.guess(ALL, ticks));
  }
  assertEquals(guesser.guess(ALL, 2), { ...usual.guess(ALL, 2), dx: 1 });

  assertEquals(mistakes.map(({ message }) => message), [
    "the guess of dx failed, so the kit guesses: it returns NaN; an axis is a finite number",
    "the guess of dy failed, so the kit guesses: Cannot read properties of undefined (reading 'y')",
    "the guess of brake failed, so the kit guesses: it returns 1; a hold is true or false",
  ]);
  assertStringIncludes(mistakes[1]!.stack!, "guesses_test.ts");
});

Deno.test("Lab: a guess that throws ends no match, and the session names it (SPEC 13.140) [seed 264]", () => {
  const game = gameOf({
    dx: () => {
      throw new Error("no idea");
    },
  });
  const lab = new Lab({ game, seed: 264, npcs: 0 });
  const mistakes: string[] = [];
  const players = Array.from({ length: 2 }, (_, i) =>
    lab.join(`p${i}`, {
      commandSource: { next: (tick) => ({ ...neutral, dx: (tick >> i + 2) % 2 }) },
      network: { oneWayMs: 100, jitterMs: 10 },
      onMistake: ({ message }) => void mistakes.push(message),
    }));
  lab.run(5);
  for (const { session } of players) {
    assertEquals([session.phase, session.stats.desyncs], ["playing", 0]);
  }
  assertEquals(mistakes, ["the guess of dx failed, so the kit guesses: no idea"]);
});

Deno.test("Lab: no definitive tick depends on a guess, however wild (SPEC 13.83) [seed 263]", () => {
  const play = (newGuesser: typeof yardGame.newGuesser) => {
    const lab = new Lab({ game: yardGame, seed: 263, npcs: 2 });
    const game = { ...yardGame, newGuesser: newGuesser! };
    const players = Array.from({ length: 3 }, (_, i) =>
      lab.join(`p${i}`, {
        game,
        commandSource: new RandomAsks(2630 + i),
        network: { oneWayMs: 100, jitterMs: 10 },
      }));
    lab.run(12);
    for (const { session } of players) assertEquals(session.stats.desyncs, 0);
    const rollbacks = players.reduce((sum, { session }) => sum + session.stats.rollbacks, 0);
    return { hashes: [...lab.definitiveHashes], rollbacks };
  };

  const usual = play(yardGame.newGuesser);
  let guesses = 0;
  const wild = play(() => ({
    learn() {},
    guess: () =>
      yardGame.commandOf(
        { dx: ++guesses % 3 - 1, fire: guesses % 4 },
        yardGame.command.neutral,
      ),
  }));
  assertGreater(guesses, 1_000);
  assertGreater(usual.rollbacks, 100);
  assertGreater(usual.hashes.length, 200);
  assertEquals(wild.hashes, usual.hashes);
});
