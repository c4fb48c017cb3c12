/** What the server computed: poses, kinds, states and hashes of its newest ticks. */
import type { Body, BodyList } from "../../../shared/body_list.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import { PoseList } from "../../../shared/netcode/pose_list.ts";
import { TickRing } from "../../../shared/netcode/tick_ring.ts";
import { hashOfSnapshot } from "../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../shared/snapshot.ts";
import type { LooseGame, LooseSimulation } from "../../game_kit/loose_types.ts";

/** As many ticks as the page can go back, 12 s at 20 Hz and more. */
const TRUTH_TICKS = 320;
/** States are long, and only a difference of the last second is named. */
const STATE_TICKS = 64;
/** Entities whose kind is remembered; ids only grow, so the oldest go first. */
const KINDS_MAX = 4096;

/** How an entity looks, beside where it is. */
export interface Look {
  /** The name of its kind. */
  readonly kind: string;
  /** Fields that change its look: which way it faces, whose team, whether it is hurt. */
  readonly facesLeft: boolean;
  readonly team: number;
  readonly isFaint: boolean;
}

export class Truth {
  readonly #game: LooseGame;
  readonly #poses = new TickRing(TRUTH_TICKS, () => new PoseList());
  readonly #hashes = new TickRing(TRUTH_TICKS, () => ({ hash: 0, ranMs: 0 }));
  readonly #states = new TickRing(STATE_TICKS, () => new Snapshot(0));
  readonly #looks = new Map<number, Look>();
  /** The newest tick. */
  tick: Tick = -1;

  constructor(game: LooseGame) {
    this.#game = game;
  }

  /** Records the state of a tick that the server has run. */
  record(simulation: LooseSimulation, bodies: BodyList, nowMs: number): void {
    const { tick } = simulation;
    this.tick = tick;
    const poses = this.#poses.claim(tick);
    poses.reset();
    simulation.poses(poses);
    const state = this.#states.claim(tick);
    simulation.save(state);
    Object.assign(this.#hashes.claim(tick), { hash: hashOfSnapshot(state), ranMs: nowMs });
    for (let i = 0; i < bodies.count; i++) this.#look(bodies.at(i));
  }

  posesAt(tick: Tick): PoseList | undefined {
    return this.#poses.get(tick);
  }

  stateAt(tick: Tick): Snapshot | undefined {
    return this.#states.get(tick);
  }

  /** The hash of S(tick), 32 bits, and when the server ran it. */
  ranAt(tick: Tick): { readonly hash: number; readonly ranMs: number } | undefined {
    return this.#hashes.get(tick);
  }

  /** @returns undefined for an entity that only a prediction has */
  lookOf(entity: number): Look | undefined {
    return this.#looks.get(entity);
  }

  #look(body: Body): void {
    const schema = this.#game.bodies!.schemas[body.schemaIndex]!;
    if (schema.isJoint || !schema.moves) return;
    const field = (name: string) =>
      body.fieldBits[schema.fields.findIndex((each) => each.name === name)] ?? 0;
    this.#looks.set(body.entity, {
      kind: schema.name,
      facesLeft: field("facing") === 1,
      team: field("team"),
      isFaint: field("dead") > 0,
    });
    if (this.#looks.size <= KINDS_MAX) return;
    const [oldest] = this.#looks.keys();
    this.#looks.delete(oldest!);
  }
}
