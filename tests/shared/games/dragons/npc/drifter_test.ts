import type { DragonCommand } from "../../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater, assertLess } from "@std/assert";
import { FakeNpcController } from "../rig.ts";
import { Snapshot } from "../../../../../shared/snapshot.ts";

/** Two minutes. */
const PLAY_TICKS = 2400;
const TICKS_AT_A_PLACE_MAX = 120;
const PLACE_METRES = 1.5;
/** The room's options: in an Egg Rush NPCs fetch eggs from the floor. */
const MELEE = [0, 1];

/**
 * One dragon's places: the range that it crossed, its heights, and its longest stay at one place in
 * ticks.
 */
class Trail {
  left = Infinity;
  right = -Infinity;
  longestStay = 0;
  readonly heights: number[] = [];
  readonly #recent: { x: number; y: number }[] = [];

  add(x: number, y: number): void {
    this.left = Math.min(this.left, x);
    this.right = Math.max(this.right, x);
    this.heights.push(y);
    this.#recent.push({ x, y });
    while (this.#recent.some((at) => (at.x - x) ** 2 + (at.y - y) ** 2 > PLACE_METRES ** 2)) {
      this.#recent.shift();
    }
    this.longestStay = Math.max(this.longestStay, this.#recent.length);
  }

  reset(): void {
    this.#recent.length = 0;
  }
}

/**
 * Runs NPCs with their queues as a server without players does. Trails record the initial
 * Drifters only.
 */
function play(seed: number, npcs: number): { trails: Trail[]; flaps: number; fires: number } {
  const simulation = dragonGame.start({ npcs, choices: MELEE }, seed);
  const npcController = new FakeNpcController();
  const commands: (DragonCommand | undefined)[] = [];
  const drifters = simulation.npcSeats.filter((seat) =>
    simulation.world.npcKind(seat) === "drifter"
  );
  const trails = new Map(drifters.map((seat) => [seat, new Trail()]));
  let flaps = 0;
  let fires = 0;

  for (let tick = 0; tick < PLAY_TICKS; tick++) {
    npcController.next(simulation, commands);
    simulation.step(commands);
    for (const event of simulation.events) {
      if (event.kind === "flap") flaps++;
      if (event.kind === "fire") fires++;
    }
    for (const [seat, trail] of trails) {
      const dragon = simulation.world.player(seat)!;
      if (dragon.fields.dead > 0 || simulation.world.match.phase === "result") trail.reset();
      else trail.add(dragon.x, dragon.y);
    }
  }

  return { trails: [...trails.values()], flaps, fires };
}

Deno.test("drifterPolicy: a Drifter decides every other tick, the Drifter on the next seat in between", () => {
  const simulation = dragonGame.start({ npcs: 2 }, 4);
  const npcController = new FakeNpcController();
  const commands: (DragonCommand | undefined)[] = [];
  const before: (DragonCommand | undefined)[] = [];
  const changes = [[0, 0], [0, 0]];
  for (let tick = 1; tick <= 400; tick++) {
    npcController.next(simulation, commands);
    simulation.step(commands);
    simulation.npcSeats.slice(0, 2).forEach((seat, i) => {
      if (tick > 1 && commands[seat] !== before[seat]) changes[i]![tick & 1]!++;
      before[seat] = commands[seat];
    });
  }
  const [one, other] = changes.map(([even, odd]) =>
    even! > 0 ? odd === 0 && "even" : odd! > 50 && "odd"
  );
  assertEquals([one, other].sort(), ["even", "odd"]);
});

Deno.test("drifterPolicy: in two minutes every Drifter crosses the arena, keeps its height and never gets stuck", () => {
  for (const seed of [1, 2, 3]) {
    const { trails, flaps, fires } = play(seed, 4);
    assertEquals(trails.length, 3, "and a Hunter among them");
    for (const trail of trails) {
      assertGreater(trail.right - trail.left, 0.6 * 32, `seed ${seed}`);
      assertLess(trail.longestStay, TICKS_AT_A_PLACE_MAX, `seed ${seed}`);
      const within = trail.heights.filter((y) => y > 2 && y < 15).length / trail.heights.length;
      assertGreater(within, 0.9, `seed ${seed}: the share of time between 2 and 15 m`);
    }
    assertGreater(flaps, 4 * 200);
    assertGreater(fires, 2);
  }
});

Deno.test("npcCommand: is pure: the same state and queue give the same command, and the state does not change", () => {
  const simulation = dragonGame.start({ npcs: 2 }, 9);
  const before = new Snapshot();
  const after = new Snapshot();
  const queue: DragonCommand[] = [];
  for (let i = 0; i < 60; i++) {
    simulation.step(commandsOf(simulation.npcSeats, (seat) => simulation.npcCommand(seat, [])));
  }
  simulation.save(before);
  for (let i = 0; i < 40; i++) {
    const command = simulation.npcCommand(16, queue);
    assertEquals(simulation.npcCommand(16, queue), command);
    queue.push(command);
  }

  simulation.save(after);
  assertEquals(after.equals(before), true);
  assertGreater(new Set(queue.map((command) => command.flaps)).size, 1, "the queue has flaps");

  const other = dragonGame.start({ npcs: 2 }, 1);
  other.load(before);
  assertEquals(other.npcCommand(16, queue.slice(0, 20)), queue[20]!);
});

function commandsOf(
  seats: readonly number[],
  npcCommand: (seat: number) => DragonCommand,
): (DragonCommand | undefined)[] {
  const commands: (DragonCommand | undefined)[] = [];
  for (const seat of seats) commands[seat] = npcCommand(seat);
  return commands;
}
