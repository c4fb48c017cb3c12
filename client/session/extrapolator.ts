/**
 * Extrapolates by simulation: it steps the head by one more tick, with the commands known now and
 * the present input.
 *
 *     drawn(head + fraction) = S(head) + fraction · ( f( S(head), C now ) − S(head) )
 *
 * A frame between two ticks is drawn between these two states. So a key shows in the next frame,
 * not in the next tick.
 *
 * The extrapolator has a simulation of its own, loaded from the snapshot of the head. Nothing that
 * it steps can leak into the state. One step serves all frames until the head or the commands
 * change. The cost is one load and one step per tick and key, not per frame.
 */
import type { Codec, Simulation, Tick } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../shared/snapshot.ts";

/** The part of a session that the extrapolator reads. */
export interface SessionView<Command> {
  readonly head: Tick;
  readonly poses: { readonly previous: PoseList; readonly head: PoseList };
  predictCommands(out: (Command | undefined)[]): void;
  copyState(tick: Tick, into: Snapshot): boolean;
}

export class Extrapolator<Command, Sim extends Simulation<Command>> {
  readonly simulation: Sim;
  /** The poses one tick after the head: of all entities at the head, then of new ones. */
  readonly poses = new PoseList();
  readonly #same: Codec<Command>["same"];
  readonly #state = new Snapshot(0);
  readonly #nextPoses = new PoseList();
  #commands: (Command | undefined)[] = [];
  #used: (Command | undefined)[] = [];
  #version = -1;
  /** The number of steps so far, for measurements of their cost. */
  steps = 0;

  /** @param simulation a simulation of the same game that nothing else uses */
  constructor(simulation: Sim, same: Codec<Command>["same"]) {
    this.simulation = simulation;
    this.#same = same;
  }

  /**
   * Steps again if the head or the commands have changed.
   * @param version a number that changes whenever the head gets another state
   */
  update(session: SessionView<Command>, version: number): void {
    session.predictCommands(this.#commands);
    if (version === this.#version && this.#isUnchanged()) return;
    if (!session.copyState(session.head, this.#state)) return;
    this.#version = version;
    [this.#commands, this.#used] = [this.#used, this.#commands];
    this.simulation.load(this.#state);
    this.simulation.step(this.#used);
    this.steps++;
    this.simulation.poses(this.#nextPoses);
    this.#fillPoses(session.poses);
  }

  #isUnchanged(): boolean {
    return this.#commands.every((command, seat) => {
      const used = this.#used[seat];
      return command === used ||
        (command !== undefined && used !== undefined && this.#same(command, used));
    });
  }

  /** Entities about to teleport stay put; entities about to despawn keep their last velocity. */
  #fillPoses({ previous, head }: SessionView<Command>["poses"]): void {
    const nextPoses = this.#nextPoses;
    const poses = this.poses;
    poses.reset();
    for (let i = 0; i < head.count; i++) {
      const now = head.at(i);
      const next = nextPoses.find(now.entity);
      const pose = Object.assign(poses.add(), now);
      if (next !== undefined && next.teleports === now.teleports) Object.assign(pose, next);
      else if (next === undefined) extrapolatePose(pose, previous);
    }
    const newest = head.count === 0 ? -1 : head.at(head.count - 1).entity;
    for (let i = 0; i < nextPoses.count; i++) {
      if (nextPoses.at(i).entity > newest) Object.assign(poses.add(), nextPoses.at(i));
    }
  }
}

function extrapolatePose(
  pose: { entity: number; x: number; y: number; teleports: number },
  previous: PoseList,
): void {
  const before = previous.find(pose.entity);
  if (before === undefined || before.teleports !== pose.teleports) return;
  pose.x += pose.x - before.x;
  pose.y += pose.y - before.y;
}
