/**
 * A game with an analog stick and a codec that rounds the stick to eighths. The stick and the NPCs
 * give any number, and all ends must still simulate the same one.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { CommandSource } from "../../../client/session/session.ts";
import { Extrapolator } from "../../../client/session/extrapolator.ts";
import type { Game, GameOptions, SeatId } from "../../../shared/netcode/game.ts";
import { fieldCoderOf } from "../../../shared/netcode/wire/command_fields.ts";
import { type CounterCommand, counterGame, CounterSimulation } from "./counter_game.ts";
import { Lab } from "./lab.ts";

const STEPS = 8;
const codeStick = fieldCoderOf({
  name: "dir",
  type: "number",
  least: -STEPS,
  greatest: STEPS,
  wraps: false,
  perOne: STEPS,
  neutral: 0,
  held: true,
  unchanged: 1000,
});

/** The stick at some moment: a number that is not a multiple of an eighth. */
function stickAt(moment: number): number {
  return ((moment * 37) % 201 - 100) / 101;
}

class AnalogSimulation extends CounterSimulation {
  override npcCommand(seat: SeatId, queued: readonly CounterCommand[]): CounterCommand {
    return { presses: 0, dir: stickAt(this.tick + queued.length + 1 + seat) };
  }
}

const analogGame: Game<CounterCommand, AnalogSimulation> = {
  ...counterGame,
  id: "analog-1",
  command: {
    ...counterGame.command,
    code: ({ presses, dir }, reference, coder) => ({
      presses: coder.bits(presses, 2),
      dir: codeStick(Math.round(dir * STEPS), Math.round(reference.dir * STEPS), coder) / STEPS,
    }),
  },
  start: (options: GameOptions, seed) => new AnalogSimulation(options, seed),
};

class Stick implements CommandSource<CounterCommand> {
  #moves = 0;

  next(): CounterCommand {
    return { presses: 0, dir: stickAt(this.#moves++) };
  }

  peek(): CounterCommand {
    return { presses: 0, dir: stickAt(this.#moves) };
  }
}

Deno.test("Lab: an analog stick that its codec rounds costs no rollbacks, nor do NPCs that move one (SPEC 1.22) [seed 3]", () => {
  for (const ordered of [true, false]) {
    const lab = new Lab({ game: analogGame, seed: 3, npcs: 2 });
    const { session } = lab.join("we", {
      commandSource: new Stick(),
      network: { oneWayMs: 40, jitterMs: 0 },
      ordered,
    });
    lab.run(20);
    const { ticks, rollbacks, desyncs, commandsLate } = session.stats;
    assertGreater(ticks, 380);
    assertLess(
      rollbacks,
      10,
      `${rollbacks} rollbacks in ${ticks} ticks; ${commandsLate} commands were late`,
    );
    assertEquals(desyncs, 0);
  }
});

Deno.test("Lab: a frame shows the stick as it will be decoded (SPEC 1.22) [seed 4]", () => {
  const lab = new Lab({ game: analogGame, seed: 4, npcs: 0 });
  const { session } = lab.join("we", {
    commandSource: new Stick(),
    network: { oneWayMs: 40, jitterMs: 0 },
  });
  lab.run(3);
  const ahead = new Extrapolator(session.newSimulation(), analogGame.command.same);
  let steps = 0;

  for (let i = 0; i < 50; i++) {
    ahead.update(session, i);
    const tick = session.head;
    const x = ahead.poses.findBySeat(session.seat)?.x;
    lab.run(0.05);
    if (session.head !== tick + 1) continue;
    steps++;
    assertEquals(session.poses.head.findBySeat(session.seat)?.x, x);
  }

  assert(steps > 40);
});
