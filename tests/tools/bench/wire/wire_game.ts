/**
 * Workload W (DESIGN 11) as a game: the full scene with a dragon for each seat and 40 projectiles.
 * Each tick adds one and removes one. Human-like players change their command 3.9 times a second,
 * NPCs about once.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { addPresses, NEUTRAL } from "../../../support/dragons.ts";
import {
  type Commands,
  type Game,
  type GameEvent,
  type GameOptions,
  PLAYER_SEATS,
  type SeatId,
  SEATS,
  type Simulation,
} from "../../../../shared/netcode/game.ts";
import type { PoseList } from "../../../../shared/netcode/pose_list.ts";
import {
  adoptBodies,
  bodySchemasOf,
  fillBodies,
} from "../../../../shared/physics/stage/body_stream.ts";
import { type Entity, Stage } from "../../../../shared/physics/stage/stage.ts";
import { archetype } from "../../../../shared/physics/core/types.ts";
import { hashOf, Random } from "../../../../shared/random.ts";
import type { Snapshot } from "../../../../shared/snapshot.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import * as scene from "../../../../client/same_bits/full_scene.ts";

export const PROJECTILES = 40;
export const PLAYERS = 8;
export const NPCS = 8;
const REACTION_TICKS = 12;
/** How many ticks lie between an NPC's decisions. */
const NPC_DECISION_TICKS = 16;
const RUN_SPEED = 0.6;
const FLAP_SPEED = 5;
const SPEED_MAX = 12;

const RIDER = archetype({
  name: "rider",
  body: {
    fixtures: [{ shape: { circle: scene.DRAGON_RADIUS }, density: 1, friction: 0.2 }],
    fixedRotation: "upright",
  },
  fields: { seat: "u8", flaps: "u8" },
});
const SHOT = archetype({
  name: "shot",
  projectile: {
    radius: scene.PROJECTILE_RADIUS,
    mass: Math.PI * scene.PROJECTILE_RADIUS * scene.PROJECTILE_RADIUS,
    restitution: 0.4,
    bouncesMax: 255,
    lifeTicks: PROJECTILES + 1,
    category: 2,
    mask: 1,
    gravityScale: 0.2,
  },
  fields: {},
});

const STAGE = {
  gravity: scene.GRAVITY,
  tickHz: scene.TICK_HZ,
  substeps: 2,
  ground: scene.GROUND.map(({ x, y, halfWidth, halfHeight }) => ({
    shape: { box: [halfWidth, halfHeight] as const, x, y },
    friction: 0.6,
  })),
  archetypes: [RIDER, SHOT],
  fields: {},
};

export class WireSimulation implements Simulation<DragonCommand> {
  readonly stage = new Stage(STAGE);
  readonly #seed: number;
  readonly npcSeats: readonly SeatId[];
  readonly events: readonly GameEvent[] = [];

  constructor({ npcs }: GameOptions, seed: number) {
    this.#seed = seed;
    this.npcSeats = Array.from({ length: npcs }, (_, i) => PLAYER_SEATS + i);
  }

  get tick(): number {
    return this.stage.tick;
  }

  /** All moving entities, ordered by archetype and id. */
  get bodies(): readonly Entity[] {
    return [...this.stage.all(RIDER), ...this.stage.all(SHOT)];
  }

  step(commands: Commands<DragonCommand>): void {
    const { stage } = this;
    for (let seat = 0; seat < SEATS; seat++) this.#applyCommand(seat, commands[seat]);
    this.#shoot();
    stage.advance();
    stage.endTick();
  }

  save(into: Snapshot): void {
    this.stage.save(into);
  }

  load(from: Snapshot): void {
    this.stage.load(from);
  }

  npcCommand(seat: SeatId, queued: readonly DragonCommand[]): DragonCommand {
    const tick = this.tick + queued.length + 1 + seat * 5;
    const choice = hashOf(this.#seed, seat, Math.floor(tick / NPC_DECISION_TICKS));
    const before = queued.at(-1) ?? NEUTRAL;
    const flaps = tick % NPC_DECISION_TICKS === 0 && (choice & 8) !== 0 ? 1 : 0;
    return {
      ...NEUTRAL,
      dir: (choice % 3 - 1) as -1 | 0 | 1,
      flaps: addPresses(before.flaps, flaps),
    };
  }

  reactionTicks(): number {
    return REACTION_TICKS;
  }

  poses(out: PoseList): void {
    out.reset();
    const riders = this.stage.all(RIDER);
    const shots = this.stage.all(SHOT);
    for (let r = 0, s = 0; r < riders.length || s < shots.length;) {
      const rider = riders[r];
      const shot = shots[s];
      const isRider = shot === undefined || (rider !== undefined && rider.id < shot.id);
      const { id: entity, x, y, angle, teleports } = (isRider ? riders[r++] : shots[s++])!;
      Object.assign(out.add(), {
        entity,
        seat: isRider ? rider!.fields.seat : -1,
        x,
        y,
        angle,
        teleports,
      });
    }
  }

  /** @returns a seat's dragon; undefined for an empty seat */
  riderOf(seat: SeatId) {
    return this.stage.all(RIDER).find((rider) => rider.fields.seat === seat);
  }

  #applyCommand(seat: SeatId, command: DragonCommand | undefined): void {
    const rider = this.riderOf(seat);
    if (command === undefined) {
      if (rider !== undefined) this.stage.despawn(rider);
      return;
    }
    if (rider === undefined) {
      const place = scene.dragonPlaces[seat % scene.dragonPlaces.length]!;
      this.stage.spawn(RIDER, { ...place, fields: { seat, flaps: command.flaps } });
      return;
    }

    const clamped = (speed: number) => Math.max(-SPEED_MAX, Math.min(SPEED_MAX, speed));
    const lift = rider.fields.flaps === command.flaps ? 0 : FLAP_SPEED;
    rider.fields.flaps = command.flaps;
    this.stage.setVelocity(
      rider,
      clamped(rider.vx + command.dir * RUN_SPEED),
      clamped(rider.vy + lift),
    );
  }

  #shoot(): void {
    const riders = this.stage.all(RIDER);
    if (riders.length === 0) return;
    const { dragon, side } = scene.shot(this.tick, riders.length);
    const { x, y, vx, vy } = riders[dragon]!;
    this.stage.spawn(SHOT, { x: x + side * 0.9, y, vx: vx + side * scene.SHOT_SPEED, vy });
  }
}

export const wireGame: Game<DragonCommand, WireSimulation> = {
  id: "wire-1",
  tickHz: scene.TICK_HZ,
  command: dragonGame.command,
  assume: dragonGame.assume,
  bodies: {
    ...bodySchemasOf(STAGE),
    fill: ({ stage }, out) =>
      fillBodies(stage, ({ fields }) => (fields as { seat?: number }).seat ?? -1, out),
    adopt: ({ stage }, from) => adoptBodies(stage, from),
  },
  start: (options, seed) => new WireSimulation(options, seed),
};

/** Random commands with the change rate measured for people: 3.9 changes a second. */
export class HumanLikeControls implements CommandSource<DragonCommand> {
  readonly #random: Random;
  #command = NEUTRAL;
  ticks = 0;
  changes = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  next(): DragonCommand {
    const random = this.#random;
    const before = this.#command;
    const dir = random.chance(0.11) ? (random.below(3) - 1) as -1 | 0 | 1 : before.dir;
    const flaps = addPresses(before.flaps, random.chance(0.105) ? 1 : 0);
    const fires = addPresses(before.fires, random.chance(0.025) ? 1 : 0);
    this.#command = { ...before, dir, flaps, fires };
    this.ticks++;
    if (!dragonGame.command.same(before, this.#command)) this.changes++;
    return this.#command;
  }
}
