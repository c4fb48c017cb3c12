/**
 * A small game with rules that make joints. Each seat drives a car. A press ties the car to the
 * nearest ball with a rope, or unties it, and sheds a spark. A rope pulls itself in while it
 * exists. An arm with a motor and limits carries a ball.
 *
 * There are more than 16 kinds of entities and joints, and sparks take ids between those of ropes.
 */
import {
  adoptBodies,
  bodySchemasOf,
  fillBodies,
} from "../../../../shared/physics/stage/body_stream.ts";
import {
  archetype,
  type FieldSpec,
  jointDef,
  type StageDef,
} from "../../../../shared/physics/core/types.ts";
import { joints } from "../../../../shared/physics/joints/feature.ts";
import { type Entity, type Joint, Stage } from "../../../../shared/physics/stage/stage.ts";
import {
  type Commands,
  type Game,
  type SeatId,
  SEATS,
  type Simulation,
} from "../../../../shared/netcode/game.ts";
import type { PoseList } from "../../../../shared/netcode/pose_list.ts";
import type { Snapshot } from "../../../../shared/snapshot.ts";
import { type CounterCommand, counterGame } from "../counter_game.ts";

const FLOOR = { box: [16, 0.5], x: 16, y: 0 } as const;
const WALL = { box: [0.5, 8], y: 8 } as const;

export const CAR = archetype({
  name: "car",
  fields: { seat: "u8", presses: "u8" },
  body: {
    fixtures: [{ shape: { box: [0.6, 0.3] }, density: 2, friction: 0.4 }],
    linearDamping: 0.5,
  },
});
export const BALL = archetype({
  name: "ball",
  fields: {},
  body: {
    fixtures: [{ shape: { circle: 0.4 }, density: 1, friction: 0.5, restitution: 0.3 }],
    angularDamping: 0.5,
  },
});
const BEAM = archetype({
  name: "beam",
  fields: {},
  body: { fixtures: [{ shape: { box: [2, 0.1] }, density: 1 }] },
});
const SPARK = archetype({ name: "spark", fields: {}, projectile: { radius: 0.1, lifeTicks: 15 } });
/** Kinds that are never spawned. */
const UNUSED = Array.from(
  { length: 14 },
  (_, i) =>
    archetype({
      name: `unused ${i}`,
      fields: {},
      body: { fixtures: [{ shape: { circle: 1 }, density: 1 }] },
    }),
);

export const ROPE = jointDef({
  name: "rope",
  type: "rope",
  fields: { owner: "u8" },
  collide: true,
});
export const ARM = jointDef({
  name: "arm",
  type: "revolute",
  fields: {},
  limits: { lower: -1, upper: 1 },
  motor: { speed: 1, torqueMax: 400 },
});
const WELD = jointDef({ name: "weld", type: "weld", fields: {} });

const DEF: StageDef = {
  gravity: 10,
  tickHz: 20,
  substeps: 2,
  features: [joints],
  fields: {},
  ground: [
    { shape: FLOOR },
    { shape: { ...WALL, x: -0.5 } },
    { shape: { ...WALL, x: 32.5 } },
  ],
  archetypes: [...UNUSED, CAR, BALL, BEAM, SPARK],
  joints: [WELD, ROPE, ARM],
};

const DRIVE_NEWTONS = 25;
const REACH_METRES = 8;
const ROPE_LENGTH_MIN = 1.5;
const WINCH_METRES_PER_TICK = 0.02;
/**
 * The arm's motor turns round after this many ticks; its limits are off for a quarter of the time.
 */
const TURN_TICKS = 40;
const LIMIT_TICKS = 80;

export class RopeSimulation implements Simulation<CounterCommand> {
  readonly stage = new Stage(DEF);
  readonly events = [];
  readonly npcSeats = [];
  readonly #hasJoints: boolean;

  constructor(hasJoints: boolean) {
    this.#hasJoints = hasJoints;
  }

  get tick(): number {
    return this.stage.tick;
  }

  step(commands: Commands<CounterCommand>): void {
    if (this.tick === 0) this.#build();
    const cars = new Map(this.stage.all(CAR).map((car) => [car.fields.seat, car]));
    for (let seat = 0; seat < SEATS; seat++) this.#drive(seat, commands[seat], cars.get(seat));
    if (this.#hasJoints) this.#tickJoints();
    this.stage.advance();
    this.stage.endTick();
  }

  npcCommand(): CounterCommand {
    throw new RangeError("the game has no NPCs");
  }

  reactionTicks(): number {
    return 1;
  }

  save(into: Snapshot): void {
    this.stage.save(into);
  }

  load(from: Snapshot): void {
    this.stage.load(from);
  }

  poses(out: PoseList): void {
    out.reset();
    // Sparks would only show which presses a client has not received yet.
    const all = [CAR, BALL, BEAM].flatMap((
      kind,
    ): Entity<FieldSpec>[] => [...this.stage.all<FieldSpec>(kind)]);
    for (const entity of all.sort((a, b) => a.id - b.id)) {
      const { id, x, y, angle, teleports } = entity;
      Object.assign(out.add(), { entity: id, seat: seatOf(entity), x, y, angle, teleports });
    }
  }

  #build(): void {
    const { stage } = this;
    for (const x of [3, 9, 15, 21, 27]) stage.spawn(BALL, { x, y: 1 });
    const beam = stage.spawn(BEAM, { x: 16, y: 7 });
    const load = stage.spawn(BALL, { x: 18, y: 5 });
    if (!this.#hasJoints) return;
    stage.joints.add(ARM, stage.ground, beam, { x: 16, y: 7 });
    stage.joints.add(ROPE, beam, load, { x: 17.8, y: 7, bx: 18, by: 5 });
    const left = stage.spawn(BALL, { x: 6, y: 3 });
    const right = stage.spawn(BALL, { x: 6.9, y: 3.3 });
    stage.joints.add(WELD, left, right, { x: 6.45, y: 3.15 });
  }

  #drive(
    seat: SeatId,
    command: CounterCommand | undefined,
    car: Entity<typeof CAR.fields> | undefined,
  ): void {
    const { stage } = this;
    if (command === undefined) {
      if (car !== undefined) stage.despawn(car);
    } else if (car === undefined) {
      stage.spawn(CAR, { x: 2 + 7 * (seat % 4), y: 2, fields: { seat, presses: command.presses } });
    } else {
      if (((command.presses - car.fields.presses) & 3) !== 0) this.#press(car);
      car.fields.presses = command.presses;
      if (command.dir !== 0) stage.applyForce(car, command.dir * DRIVE_NEWTONS, 0);
    }
  }

  #press(car: Entity<typeof CAR.fields>): void {
    const { stage } = this;
    if (this.#hasJoints) {
      const tied = stage.joints.of(car).slice();
      for (const joint of tied) stage.joints.remove(joint);
      if (tied.length === 0) this.#tie(car);
    }
    stage.spawn(SPARK, { x: car.x, y: car.y + 1, vx: car.vx, vy: 4 });
  }

  #tie(car: Entity<typeof CAR.fields>): void {
    let nearest: Entity<typeof BALL.fields> | undefined;
    let least = REACH_METRES;

    for (const ball of this.stage.all(BALL)) {
      const dx = ball.x - car.x;
      const dy = ball.y - car.y;
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (distance >= least) continue;
      nearest = ball;
      least = distance;
    }

    if (nearest === undefined) return;
    const at = {
      x: car.x,
      y: car.y,
      bx: nearest.x,
      by: nearest.y,
      fields: { owner: car.fields.seat },
    };
    this.stage.joints.add(ROPE, car, nearest, at);
  }

  #tickJoints(): void {
    const { joints } = this.stage;
    const { tick } = this;
    for (const rope of joints.all(ROPE)) {
      if (rope.length > ROPE_LENGTH_MIN) {
        joints.setLength(rope, Math.max(ROPE_LENGTH_MIN, rope.length - WINCH_METRES_PER_TICK));
      }
    }
    const [arm] = joints.all(ARM);
    if (arm === undefined) return;
    if (tick % TURN_TICKS === 0) {
      joints.setMotor(arm, { speed: tick % (2 * TURN_TICKS) === 0 ? 1 : -1 });
    }
    if (tick % (LIMIT_TICKS / 4) === 0) joints.setLimits(arm, { on: tick % LIMIT_TICKS !== 0 });
  }
}

function seatOf(entity: Entity<FieldSpec>): SeatId {
  return entity.archetype.name === CAR.name ? entity.fields["seat"]! : -1;
}

/** @param hasJoints whether the rules make joints; everything else is equal */
export function ropeGame(
  { hasJoints }: { hasJoints: boolean },
): Game<CounterCommand, RopeSimulation> {
  return {
    id: "ropes-1",
    tickHz: DEF.tickHz,
    command: counterGame.command,
    assume: counterGame.assume,
    start: () => new RopeSimulation(hasJoints),
    bodies: {
      ...bodySchemasOf(DEF),
      fill: ({ stage }, out) => fillBodies(stage, seatOf, out),
      adopt: ({ stage }, from) => adoptBodies(stage, from),
    },
  };
}

/** A joint, in the form in which server and client are compared. */
export function jointKey(
  { id, definition, a, b, length, isLimitEnabled, motorSpeed }: Joint,
): string {
  return [id, definition.name, a.id, b.id, Math.round(length * 16), isLimitEnabled, motorSpeed]
    .join(" ");
}
