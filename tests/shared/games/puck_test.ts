/**
 * Puck's rules, through the simulation that netcode steps. A test places bodies by the verbs of the
 * stage.
 */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { SeatId } from "../../../shared/netcode/game.ts";
import {
  game,
  GOAL_BACK,
  HALF_LENGTH,
  HALF_WIDTH,
  KICK_OFF_TICKS,
} from "../../../shared/games/puck/game.ts";

type Command = typeof game.command.neutral;
type Input = Parameters<typeof game.commandOf>[0];

const SECOND = game.tickHz;

/** A match whose players ask for what a test says, and whose NPCs think. */
class Match {
  readonly simulation;
  readonly #inputs = new Map<SeatId, Input>();
  readonly #last = new Map<SeatId, Command>();
  readonly #queues = new Map<SeatId, Command[]>();
  readonly kinds: string[] = [];

  constructor(
    { npcs = 0, seed = 1, choices = [] }: {
      npcs?: number;
      seed?: number;
      choices?: readonly number[];
    } = {},
  ) {
    this.simulation = game.start({ npcs, choices }, seed);
  }

  get world() {
    return this.simulation.world;
  }

  get puck() {
    return this.world.one("puck")!;
  }

  ask(seat: SeatId, ask: Input): void {
    this.#inputs.set(seat, ask);
  }

  step(ticks = 1): this {
    for (let i = 0; i < ticks; i++) {
      const { simulation } = this;
      const commands: (Command | undefined)[] = new Array(32).fill(undefined);
      for (const seat of this.#inputs.keys()) commands[seat] = this.#commandOf(seat);
      for (const seat of simulation.npcSeats) commands[seat] = this.#thought(seat);
      simulation.step(commands);
      this.kinds.push(...simulation.events.map(({ kind }) => kind));
    }
    return this;
  }

  /** Steps until the puck is free. */
  untilPlay(): this {
    do this.step(); while (this.world.match.pause > 0);
    return this;
  }

  /** Puts the puck somewhere with a velocity. */
  shoot(x: number, y: number, vx: number, vy = 0): this {
    const { stage } = this.simulation;
    const { entity } = this.puck;
    stage.teleport(entity, x, y);
    stage.setVelocity(entity, vx, vy);
    return this;
  }

  count(kind: string): number {
    return this.kinds.filter((each) => each === kind).length;
  }

  get score() {
    return [this.world.match.blue, this.world.match.orange];
  }

  get teams() {
    return this.world.all("car").map(({ seat, fields: { team } }) => `${seat} ${team}`);
  }

  #commandOf(seat: SeatId): Command {
    const command = game.commandOf(
      this.#inputs.get(seat)!,
      this.#last.get(seat) ?? game.command.neutral,
    );
    this.#last.set(seat, command);
    return command;
  }

  #thought(seat: SeatId): Command {
    const queue = this.#queues.get(seat) ?? [];
    this.#queues.set(seat, queue);
    while (queue.length < this.simulation.reactionTicks(seat)) {
      queue.push(this.simulation.npcCommand(seat, queue));
    }
    return queue.shift()!;
  }
}

Deno.test("Puck: a goal counts once, for the team that attacks it, and then all kick off again", () => {
  const match = new Match();
  match.ask(0, { team: "blue" });
  match.ask(1, { team: "orange", dx: 0.5, dy: 1 });
  match.untilPlay().shoot(11, 0, 8).step(SECOND);
  assertEquals([match.score, match.count("goal")], [[1, 0], 1]);
  match.step(3 * SECOND);
  assertEquals([match.puck.x, match.world.match.pause <= KICK_OFF_TICKS], [0, true]);
  assertEquals(match.world.all("car").map(({ x, y }) => [x, y]), [[-5, 2.5], [5, 2.5]]);
  match.untilPlay().shoot(-11, 0, -8).step(SECOND);
  assertEquals([match.score, match.count("goal"), match.count("whistle")], [[1, 1], 2, 2]);
});

Deno.test("Puck: the event of a goal names the car that scored, but nobody's own goal", () => {
  const match = new Match();
  const scorers: (number | undefined)[] = [];
  match.ask(0, { team: "blue", dx: 1 });
  for (const at of [HALF_LENGTH - 5, -HALF_LENGTH + 5]) {
    match.untilPlay();
    const { stage } = match.simulation;
    const { entity } = match.world.player(0)!;
    stage.teleport(entity, at, 0, at > 0 ? 0 : Math.PI);
    stage.setVelocity(entity, 0, 0);
    match.ask(0, { team: "blue", dx: Math.sign(at) });
    match.shoot(at + 1.5 * Math.sign(at), 0, 0);
    while (match.world.match.pause === 0) match.step();
    scorers.push(match.simulation.events.find(({ kind }) => kind === "goal")!.other);
  }
  assertEquals([scorers, match.score], [[match.world.player(0)!.id, undefined], [1, 1]]);
});

Deno.test("Puck: a boost pushes at once, and the next one has to wait for 2.5 s", () => {
  const match = new Match({ choices: [0, 1] });
  match.ask(0, { team: "blue" });
  match.untilPlay();
  const me = match.world.player(0)!;
  match.ask(0, { boost: 1 });
  match.step();
  assertGreater(me.vx, 6);
  match.step(2.5 * SECOND - 1);
  assertEquals(match.count("boost"), 1);
  match.step();
  assertEquals(match.count("boost"), 2);
});

Deno.test("Puck: cars go where the stick points, turn their nose there, and stop at the goals", () => {
  const match = new Match({ choices: [0, 1] });
  match.ask(0, { team: "orange" });
  match.untilPlay().ask(0, { dy: 1 });
  match.step(SECOND);
  const me = match.world.player(0)!;
  assertGreater(me.y, 3.5);
  assertLess(Math.abs(me.angle - Math.PI / 2), 0.2);
  match.simulation.stage.teleport(me.entity, 9, 0, 0);
  match.ask(0, { dx: 1 });
  match.step(2 * SECOND);
  assertLess(me.x, HALF_LENGTH);
});

Deno.test("Puck: who chooses no team joins the smaller one, and NPCs even the teams at the next kick-off", () => {
  const match = new Match({ npcs: 4 });
  match.step();
  assertEquals(match.teams, ["16 orange", "17 blue", "18 orange", "19 blue"]);
  for (const seat of [0, 1]) match.ask(seat, { team: "blue" });
  match.ask(2, { team: "auto" });
  match.untilPlay();
  assertEquals(match.teams.slice(4), ["0 blue", "1 blue", "2 orange"]);
  match.ask(3, { team: "blue" });
  match.step().shoot(11, 0, 8).step(4 * SECOND);
  const blue = match.teams.filter((each) => each.endsWith("blue")).length;
  assertEquals([blue, match.teams.slice(4)], [4, ["0 blue", "1 blue", "2 orange", "3 blue"]]);
});

Deno.test("Puck: enough goals end a match, and after 8 s the next one begins at 0", () => {
  const match = new Match({ choices: [1, 0] });
  for (let goals = 1; goals <= 3; goals++) {
    match.untilPlay().shoot(11, 0, 8).step(SECOND);
    assertEquals([match.score, match.world.match.left > 0], [[goals, 0], goals < 3]);
  }
  match.step(6 * SECOND);
  assertEquals([match.score, match.world.match.round], [[3, 0], 1]);
  match.untilPlay();
  assertEquals([match.score, match.world.match.round, match.world.match.left], [
    [0, 0],
    2,
    180 * SECOND - 1,
  ]);
});

Deno.test("Puck: without enough goals three minutes end a match", () => {
  const match = new Match({ choices: [0, 1] });
  match.untilPlay().step(180 * SECOND - 2);
  assertEquals([match.world.match.left, match.world.match.pause], [1, 0]);
  match.step();
  assertEquals([match.world.match.left, match.world.match.pause], [0, KICK_OFF_TICKS + 8 * SECOND]);
  match.untilPlay();
  assertEquals(match.world.match.round, 2);
});

Deno.test("Puck: keepers save most shots of 6 m/s from 8 m", () => {
  const shots = [-3, -2, -1, 0, 1, 2, 3].flatMap((y) => [-1, 1].map((side) => ({ y, side })));
  const saved = shots.filter(({ y, side }) => {
    const match = new Match({ npcs: 4, choices: [0, 1] });
    const far = Math.hypot(8, y);
    match.untilPlay().step(2 * SECOND).shoot(
      side * (HALF_LENGTH - 8),
      y,
      side * 6 * 8 / far,
      6 * -y / far,
    );
    const goals = match.count("goal");
    return match.step(2.3 * SECOND).count("goal") === goals;
  });
  assertGreater(saved.length, 0.7 * shots.length);
});

Deno.test("Puck: the wrecking ball goes round on its chain, and the open rink has none", () => {
  const open = new Match({ choices: [0, 1] }).step();
  const match = new Match().step();
  assertEquals([open.world.all("ball").length, open.world.joints.all("chain").length], [0, 0]);
  let turns = 0;
  let angle = 0;
  for (let tick = 0; tick < 20 * SECOND; tick++) {
    const { x, y } = match.step().world.one("ball")!;
    const now = Math.atan2(y, x);
    assertLess(Math.hypot(x, y), 3.6);
    turns += Math.atan2(Math.sin(now - angle), Math.cos(now - angle)) / (2 * Math.PI);
    angle = now;
  }
  assertGreater(turns, 4);
});

for (const npcs of [2, 4, 8]) {
  Deno.test(`Puck: ${npcs} NPCs score, keep the puck in the rink, and are never stuck [seed 1]`, () => {
    const match = new Match({ npcs });
    const lastMoves = new Map<SeatId, { x: number; y: number; tick: number }>();

    for (let tick = 0; tick < 180 * SECOND; tick++) {
      const { puck, world } = match.step();
      assert(
        Math.abs(puck.x) < GOAL_BACK && Math.abs(puck.y) < HALF_WIDTH,
        `tick ${tick}: the puck is at ${puck.x}, ${puck.y}`,
      );
      const [x, y] = [Math.max(0, Math.abs(puck.x) - HALF_LENGTH), Math.abs(puck.y)];
      assert(x === 0 || y < 2.3, `tick ${tick}: the puck is outside at ${puck.x}, ${puck.y}`);
      for (const car of world.all("car")) {
        const last = lastMoves.get(car.seat);
        const hasMoved = !last || Math.hypot(car.x - last.x, car.y - last.y) > 0.5;
        // Those who are not at the puck may wait for it.
        const waits = world.match.pause > 0 || Math.hypot(car.x - puck.x, car.y - puck.y) > 3;
        if (hasMoved || waits) lastMoves.set(car.seat, { x: car.x, y: car.y, tick });
        else assertLess(tick - last.tick, 5 * SECOND, `tick ${tick}: car ${car.id} is stuck`);
      }
    }

    assertGreater(match.count("goal"), 3);
    assertGreater(match.count("boost"), 30);
    assertGreater(match.count("wreck"), 3);
  });
}
