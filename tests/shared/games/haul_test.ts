/**
 * Haul's rules, through the simulation that netcode steps. A test places bodies by the verbs of the
 * stage.
 */
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { SeatId } from "../../../shared/netcode/game.ts";
import { FINISH, game, heightAt, RACE_TICKS } from "../../../shared/games/haul/game.ts";

type Command = typeof game.command.neutral;
type Input = Parameters<typeof game.commandOf>[0];

const SECOND = game.tickHz;
const COUNTDOWN = 3 * SECOND;
const NO_CRATES = [2];

/** A race whose players ask for what a test says, and whose NPCs think. */
class Race {
  readonly simulation;
  readonly #inputs = new Map<SeatId, Input>();
  readonly #last = new Map<SeatId, Command>();
  readonly kinds: string[] = [];

  constructor({ npcs = 0, players = 0, seed = 1, choices = NO_CRATES } = {}) {
    this.simulation = game.start({ npcs, choices }, seed);
    for (let seat = 0; seat < players; seat++) this.ask(seat, {});
  }

  get world() {
    return this.simulation.world;
  }

  truck(seat: SeatId) {
    return this.world.player(seat)!;
  }

  trailerOf(seat: SeatId) {
    return this.truck(seat).fields.trailer;
  }

  ropesOf(seat: SeatId): number {
    return this.world.joints.of(this.truck(seat), "rope").length;
  }

  ask(seat: SeatId, ask: Input): void {
    this.#inputs.set(seat, ask);
  }

  leave(seat: SeatId): void {
    this.#inputs.delete(seat);
  }

  step(ticks = 1): this {
    for (let i = 0; i < ticks; i++) {
      const { simulation } = this;
      const commands: (Command | undefined)[] = new Array(32).fill(undefined);
      for (const [seat, ask] of this.#inputs) {
        const command = game.commandOf(ask, this.#last.get(seat) ?? game.command.neutral);
        this.#last.set(seat, command);
        commands[seat] = command;
      }
      for (const seat of simulation.npcSeats) commands[seat] = simulation.npcCommand(seat, []);
      simulation.step(commands);
      this.kinds.push(...simulation.events.map(({ kind }) => kind));
    }
    return this;
  }

  /** Steps until the trucks may drive. */
  untilGo(): this {
    do this.step(); while (this.world.match.left > RACE_TICKS);
    return this;
  }

  /** Gives a truck, its wheels and its trailer a velocity. */
  push(seat: SeatId, vx: number): this {
    const { stage } = this.simulation;
    const { entity } = this.truck(seat);
    for (const part of [entity, ...stage.joints.of(entity).map(({ b }) => b)]) {
      stage.setVelocity(part, vx, 0);
    }
    return this;
  }

  /** Puts a truck, its wheels and its trailer so far away, by joints that go with it. */
  carry(seat: SeatId, toX: number): this {
    const truck = this.truck(seat);
    const { stage } = this.simulation;
    const joints = stage.joints.of(truck.entity);
    const parts = [truck.entity, ...joints.map(({ b }) => b)];
    const fromX = truck.x;
    const fromY = truck.y;
    const joined = joints.map(({ definition, a, b, length }) => ({ definition, a, b, length }));
    for (const part of parts) {
      const x = part.x - fromX + toX;
      stage.teleport(part, x, part.y - fromY + heightAt(toX) + 1.2);
    }

    for (const { definition, a, b, length } of joined) {
      const isRope = length > 0;
      stage.joints.add(
        definition,
        a,
        b,
        isRope
          ? { x: a.x - 1.5, y: a.y, bx: b.x + 1.2, by: b.y, length }
          : { x: b.x, y: b.y, axis: { x: 0, y: 1 } },
      );
    }

    return this;
  }

  cutRope(seat: SeatId): this {
    const { stage } = this.simulation;
    for (const rope of this.world.joints.of(this.truck(seat), "rope")) stage.joints.remove(rope);
    return this;
  }

  count(kind: string): number {
    return this.kinds.filter((each) => each === kind).length;
  }
}

Deno.test("Haul: trucks stand through the countdown, then drive off with their trailers", () => {
  const race = new Race({ players: 2 });
  race.ask(0, { drive: 1 });
  race.step(SECOND);
  const from = race.truck(0).x;
  race.untilGo();
  assertAlmostEquals(race.truck(0).x, from, 0.3);
  race.step(3 * SECOND);
  assertGreater(race.truck(0).x, from + 20);
  assertGreater(race.truck(0).x, race.trailerOf(0)!.x + 1);
  assertLess(race.truck(0).x, race.trailerOf(0)!.x + 6);
  assertAlmostEquals(race.truck(1).x, from - 1.6, 0.5);
});

Deno.test("Haul: trucks of a match pass through each other, but not through crates", () => {
  const race = new Race({ players: 2, choices: [0] }).untilGo();
  race.ask(1, { drive: 1 });
  race.step(3 * SECOND);
  assertGreater(race.truck(1).x, race.truck(0).x + 5);
  const crates = race.world.all("crate");
  const first = Math.min(...crates.map(({ x }) => x));
  race.step(5 * SECOND);
  assertGreater(Math.min(...crates.map(({ x }) => x)), first + 0.2);
});

Deno.test("Haul: a hop lifts the truck once in two seconds, however often it is pressed", () => {
  const race = new Race({ players: 1 }).untilGo().step(SECOND);
  const low = race.truck(0).y;
  let high = low;
  for (let tick = 0; tick < 2 * SECOND - 2; tick++) {
    race.ask(0, { hop: 1 });
    race.step();
    high = Math.max(high, race.truck(0).y);
  }
  assertEquals(race.count("hop"), 1);
  assertGreater(high, low + 0.8);
  assertEquals(race.step(4).count("hop"), 2);
});

Deno.test("Haul: a truck that lost its trailer gets a new one at the next gate", () => {
  const race = new Race({ players: 1 }).untilGo().carry(0, 98).step(SECOND).cutRope(0).step();
  assertEquals([race.count("lost"), race.trailerOf(0), race.ropesOf(0)], [1, undefined, 0]);
  race.ask(0, { drive: 1 });
  race.push(0, 10).step(2 * SECOND);
  assert(race.trailerOf(0) !== undefined);
  assertEquals([race.ropesOf(0), race.count("lost")], [1, 1]);
});

Deno.test("Haul: a rope breaks under too much force", () => {
  const race = new Race({ players: 1 }).untilGo();
  const { stage } = race.simulation;
  stage.setVelocity(race.trailerOf(0)!.entity, -60, 0);
  race.step(2);
  assertEquals([race.count("lost"), race.ropesOf(0)], [1, 0]);
});

Deno.test("Haul: places are points for those who bring a trailer, and one point for those who do not", () => {
  const race = new Race({ players: 3 }).untilGo();
  for (const seat of [0, 1]) race.carry(seat, FINISH - 3 - 8 * seat);
  race.step(10).cutRope(0).step();
  for (const seat of [0, 1]) {
    race.ask(seat, { drive: 1 });
    race.push(seat, 8);
  }
  race.step(3 * SECOND);
  const of = (seat: SeatId) => [race.truck(seat).fields.place, race.truck(seat).fields.points];
  assertEquals([of(0), of(1), of(2)], [[1, 1], [2, 5], [0, 0]]);
  assertEquals([race.count("finish"), race.world.match.phase], [2, "playing"]);
  assertLess(race.world.match.left, 25 * SECOND);
});

Deno.test("Haul: a race ends when all have arrived, and the next one begins after the result", () => {
  const race = new Race({ players: 1 }).untilGo().carry(0, FINISH - 3).step(5).push(0, 8);
  race.ask(0, { drive: 1 });
  race.step(2 * SECOND);
  assertEquals([race.world.match.phase, race.world.match.round, race.truck(0).fields.points], [
    "result",
    1,
    6,
  ]);
  race.step(8 * SECOND);
  assertEquals([race.world.match.phase, race.world.match.round, race.truck(0).fields.place], [
    "playing",
    2,
    0,
  ]);
  assertLess(race.truck(0).x, 10);
  assertEquals([race.world.all("trailer").length, race.world.all("wheel").length], [1, 2]);
});

Deno.test("Haul: nobody waits for the last truck longer than the clock says", () => {
  const race = new Race({ players: 1 }).step(RACE_TICKS + COUNTDOWN - 1);
  assertEquals(race.world.match.phase, "playing");
  assertEquals(race.step(3).world.match.phase, "result");
});

Deno.test("Haul: a truck that drives in vain is set on its wheels after two seconds", () => {
  const race = new Race({ players: 1 }).untilGo().step(SECOND);
  const { stage } = race.simulation;
  const { entity, id } = race.truck(0);
  for (const joint of [...stage.joints.of(entity)]) if (joint.b.id !== id) stage.despawn(joint.b);
  stage.teleport(entity, 5, 1.2, Math.PI);
  race.ask(0, { drive: 1 });
  race.step(SECOND);
  assertGreater(Math.abs(Math.sin(race.truck(0).angle / 2)), 0.9);
  race.step(2 * SECOND);
  assertLess(Math.abs(Math.sin(race.truck(0).angle / 2)), 0.5);
  assertEquals([race.world.joints.of(race.truck(0), "axle").length, race.ropesOf(0)], [2, 1]);
});

Deno.test("Haul: wheels and trailer go with a player who leaves", () => {
  const race = new Race({ players: 2 }).untilGo();
  assertEquals([race.world.all("wheel").length, race.world.all("trailer").length], [4, 2]);
  race.leave(1);
  for (let i = 0; i < 60 * SECOND && race.world.player(1) !== undefined; i++) race.step();
  assertEquals([
    race.world.player(1),
    race.world.all("wheel").length,
    race.world.all("trailer").length,
  ], [
    undefined,
    2,
    1,
  ]);
});

Deno.test("Haul: NPCs finish three races on either load of crates, and none stands still for 8 s [seed 7]", () => {
  for (const choices of [[0], [1]]) {
    const race = new Race({ npcs: 4, seed: 7, choices });
    const still = new Map<SeatId, { x: number; ticks: number }>();
    let worst = 0;
    for (let tick = 0; tick < 180 * SECOND; tick++) {
      race.step();
      for (const { seat, x, fields } of race.world.all("truck")) {
        const at = still.get(seat);
        const isBusy = race.world.match.left > RACE_TICKS || race.world.match.phase === "result" ||
          fields.place > 0;
        if (at === undefined || isBusy || Math.abs(at.x - x) > 2) still.set(seat, { x, ticks: 0 });
        else worst = Math.max(worst, ++at.ticks);
      }
    }
    assertGreater(race.world.match.round, 2);
    assertGreater(race.count("finish"), 8);
    assertLess(worst, 8 * SECOND);
  }
});
