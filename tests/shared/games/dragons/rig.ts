/**
 * A small arena for tests of single rules, and scripted players. A test places spawn points,
 * platforms and crates. The rig uses only the simulation's public surface.
 */
import { dragonsIn } from "../../../../shared/games/dragons/game.ts";
import type {
  DragonCommand,
  DragonSimulation,
  DragonTypes,
} from "../../../../shared/games/dragons/declaration.ts";
import type { KitGame } from "../../../../shared/game_kit/game_kit.ts";
import { addPresses, NEUTRAL } from "../../../support/dragons.ts";
import { type Arena, arenaOf, type Point } from "../../../../shared/games/dragons/arena.ts";
import { ARENA_WORDS, ARENAS } from "../../../../shared/games/dragons/arenas/arenas.ts";
import { LEDGES } from "../../../../shared/games/dragons/arenas/ledges.ts";
import { LOOT_WORDS, type LootWord } from "../../../../shared/games/dragons/loot_words.ts";
import { MODE_WORDS, type ModeWord } from "../../../../shared/games/dragons/modes/mode.ts";
import { DRAGON_RADIUS, INVULNERABLE_TICKS } from "../../../../shared/games/dragons/tuning.ts";
import { type GameEvent, type SeatId, SEATS, type Tick } from "../../../../shared/netcode/game.ts";
import { Random } from "../../../../shared/random.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { snapshotLabels } from "../../../../shared/physics/snapshot/labels.ts";

export const FLOOR_TOP = 1;
/** The y of a dragon that stands on the floor. */
export const STANDING = FLOOR_TOP + DRAGON_RADIUS;

/** A bare floor 32 m wide under a high ceiling. */
export function bareArena(
  parts: { spawnPoints: Point[]; crates?: Point[]; ledges?: Arena["platforms"] },
): Arena {
  return arenaOf({
    name: "Bare",
    width: 32,
    height: 40,
    platforms: [{ x: 16, y: FLOOR_TOP - 0.5, width: 32, height: 1 }, ...(parts.ledges ?? [])],
    spawnPoints: parts.spawnPoints,
    lanes: [5],
    crates: parts.crates ?? [],
    cratesMax: LEDGES.cratesMax,
  });
}

/** The room's option that makes each round one in Ledges, in whose place the rig's arena is. */
const ALWAYS_LEDGES = 1 + ARENA_WORDS.indexOf("ledges");

/** A simulation and the current command of each of its players. */
export class Rig {
  readonly arena: Arena;
  readonly game: KitGame<DragonTypes>;
  readonly simulation: DragonSimulation;
  readonly commands: (DragonCommand | undefined)[] = [];
  /** The events of every step so far. */
  readonly events: GameEvent[] = [];

  /** @param npcs whose commands are those of their seats, as a player's; without one they are not there */
  constructor(arena: Arena, seats: number, mode: ModeWord = "melee", npcs = 0) {
    this.arena = arena;
    this.game = dragonsIn({ ...ARENAS, ledges: arena });
    this.simulation = this.game.start({
      npcs,
      choices: [ALWAYS_LEDGES, 1 + MODE_WORDS.indexOf(mode)],
    }, 1);
    for (let seat = 0; seat < seats; seat++) this.commands[seat] = NEUTRAL;
  }

  /** Runs until nobody is invulnerable. */
  waitOutInvulnerability(): void {
    this.run(INVULNERABLE_TICKS);
  }

  run(ticks: number): void {
    for (let i = 0; i < ticks; i++) {
      this.simulation.step(this.commands);
      this.events.push(...this.simulation.events);
    }
  }

  /** Steps until `done`. @throws Error after `ticksMax` */
  runUntil(done: () => boolean, ticksMax = 200): void {
    for (let i = 0; i < ticksMax; i++) {
      if (done()) return;
      this.run(1);
    }
    throw new Error(`not within ${ticksMax} ticks`);
  }

  setControls(seat: number, controls: Partial<Pick<DragonCommand, "dir" | "flapHeld">>): void {
    this.commands[seat] = { ...this.commands[seat]!, ...controls };
  }

  press(seat: number, button: "flaps" | "fires", presses = 1): void {
    const command = this.commands[seat]!;
    this.commands[seat] = { ...command, [button]: addPresses(command[button], presses) };
  }

  /** Overwrites one integer of the state. @param name as `snapshotLabels` has it */
  poke(name: string, value: number): void {
    this.#edit(name, (state, word) => state.words[word] = value);
  }

  /** Lets this seat's dragon take off, then moves it to (x, y), metres. */
  lift(seat: number, x: number, y: number): void {
    this.press(seat, "flaps");
    this.run(3);
    this.place(seat, x, y);
  }

  /** Moves this seat's dragon to (x, y), metres. */
  place(seat: number, x: number, y: number): void {
    const { id } = this.dragon(seat);
    this.#edit(`entity ${id} dragon x`, (state, word) => state.floats[word] = x);
    this.#edit(`entity ${id} dragon y`, (state, word) => state.floats[word] = y);
  }

  /** Gives this seat's dragon a velocity, m/s. */
  push(seat: number, vx: number, vy: number): void {
    const { id } = this.dragon(seat);
    this.#edit(`entity ${id} dragon vx`, (state, word) => state.floats[word] = vx);
    this.#edit(`entity ${id} dragon vy`, (state, word) => state.floats[word] = vy);
  }

  /** Turns this seat's dragon. @param side −1 left, 1 right */
  face(seat: number, side: number): void {
    const { id } = this.dragon(seat);
    this.#edit(`entity ${id} dragon.facing`, (state, word) => state.words[word] = side < 0 ? 1 : 0);
  }

  /** Lets this seat's dragon hold something. */
  hold(seat: number, word: LootWord, shots: number): void {
    const { id } = this.dragon(seat);
    const number = 1 + LOOT_WORDS.indexOf(word);
    this.#edit(`entity ${id} dragon.holds`, (state, at) => state.words[at] = number);
    this.#edit(`entity ${id} dragon.shots`, (state, at) => state.words[at] = shots);
  }

  #edit(name: string, write: (state: Snapshot, word: number) => void): void {
    const state = new Snapshot();
    this.simulation.save(state);
    const word = snapshotLabels(this.simulation.stage, state).indexOf(name);
    if (word < 0) throw new Error(`no word is "${name}"`);
    write(state, word);
    this.simulation.load(state);
  }

  dragon(seat: number) {
    const dragon = this.simulation.world.player(seat);
    if (dragon === undefined) throw new Error(`nobody on seat ${seat}`);
    return dragon;
  }

  /** The number of events of this kind so far. */
  countEvents(kind: string): number {
    return this.events.filter((event) => event.kind === kind).length;
  }
}

/** Ticks from the server's decision that an NPC enters or leaves to the tick announced for it. */
const NOTICE_TICKS = 6;

/**
 * Does the server's part for NPC seats: a requested NPC enters, and a withdrawn NPC leaves, a few
 * ticks later.
 */
export class FakeNpcController {
  /** By seat: the commands queued from some tick on. */
  readonly #queues = new Map<SeatId, { entersAt: Tick; leavesAt: Tick; queue: DragonCommand[] }>();
  /** The number of NPCs that entered after the first tick, and that left. */
  entered = 0;
  left = 0;

  /**
   * Writes the next tick's commands of all NPC seats. Each queue is as long as the NPC's reaction
   * time.
   * @param into by seat
   * @param seatsEnd NPCs of this seat and above never enter, so their eggs wait for good
   */
  next(simulation: DragonSimulation, into: (DragonCommand | undefined)[], seatsEnd = SEATS): void {
    const tick = simulation.tick + 1;
    const notice = tick + (tick === 1 ? 0 : NOTICE_TICKS);
    for (const seat of simulation.npcSeats) {
      if (this.#queues.has(seat) || seat >= seatsEnd) continue;
      this.#queues.set(seat, { entersAt: notice, leavesAt: Infinity, queue: [] });
      if (tick > 1) this.entered++;
    }

    for (const [seat, npc] of this.#queues) {
      if (npc.leavesAt === Infinity && !simulation.npcSeats.includes(seat)) {
        npc.leavesAt = Math.max(npc.entersAt + 1, tick + npc.queue.length + 1);
      }
      into[seat] = undefined;
      if (tick >= npc.leavesAt) {
        this.#queues.delete(seat);
        this.left++;
      } else if (tick >= npc.entersAt) {
        while (npc.queue.length < simulation.reactionTicks(seat)) {
          npc.queue.push(simulation.npcCommand(seat, npc.queue));
        }
        into[seat] = npc.queue.shift()!;
      }
    }
  }
}

/**
 * A scripted player from a seed: changes the command three to five times a second and uses every
 * control.
 */
export class ScriptedControls {
  #command = NEUTRAL;

  /** Releases held controls; counters stay. */
  release(): DragonCommand {
    return this.#command = { ...this.#command, dir: 0, flapHeld: 0 };
  }

  /** The next tick's command. */
  next(random: Random): DragonCommand {
    const { dir, flapHeld, flaps, fires } = this.#command;
    const command = {
      dir: random.chance(0.12) ? (random.below(3) - 1) as -1 | 0 | 1 : dir,
      flapHeld: random.chance(0.1) ? Number(random.chance(0.4)) : flapHeld,
      flaps: addPresses(flaps, random.chance(0.15) ? 1 : 0),
      fires: addPresses(fires, random.chance(0.03) ? 1 : 0),
    } as const;
    random.chance(0.01); // Unused: keeps the random sequence of every seed, and with it the golden hashes.
    return this.#command = command;
  }
}

/** Any valid command, as a misprediction or a cheat may have it. */
export function randomCommand(random: Random): DragonCommand {
  const command = {
    dir: (random.below(3) - 1) as -1 | 0 | 1,
    flapHeld: Number(random.chance(0.5)),
    flaps: random.below(4),
    fires: random.below(4),
  } as const;
  random.below(4); // Unused, as in `ScriptedControls.next`.
  return command;
}
