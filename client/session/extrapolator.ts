/**
 * Extrapolates by simulation: it steps one tick beyond the head, with the commands known now and
 * the present input.
 *
 *     drawn(head + fraction) = S(head) + fraction · ( f( S(head), C now ) − S(head) )
 *
 * A frame between two ticks is drawn between these two states, so a key shows in the next frame
 * instead of the next tick.
 *
 * The extrapolator steps its own simulation, loaded from the head's snapshot, so nothing can leak
 * into the state. One step serves all frames until the head or the commands change, so it costs one
 * load and one step per tick and key instead of per frame.
 */
import type { Codec, Simulation, Tick } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../shared/snapshot.ts";

/** What the extrapolator reads from a session. */
export interface SessionView<Command> {
  readonly head: Tick;
  readonly poses: { readonly previous: PoseList; readonly head: PoseList };
  predictCommands(out: (Command | undefined)[]): void;
  copyState(tick: Tick, into: Snapshot): boolean;
}

export class Extrapolator<Command, Sim extends Simulation<Command>> {
  readonly simulation: Sim;
  /** The poses one tick after the head: first all entities at the head, then new ones. */
  readonly poses = new PoseList();
  readonly #same: Codec<Command>["same"];
  readonly #state = new Snapshot(0);
  readonly #nextPoses = new PoseList();
  #commands: (Command | undefined)[] = [];
  #used: (Command | undefined)[] = [];
  #version = -1;
  /** How many steps it made so far, for measuring their cost. */
  steps = 0;

  /** @param simulation a simulation of the same game that nothing else uses */
  constructor(simulation: Sim, same: Codec<Command>["same"]) {
    this.simulation = simulation;
    this.#same = same;
  }

  /**
   * Steps again if the head or the commands changed.
   * @param version a number that changes whenever the head's state does
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

  /**
   * Fills the poses. Entities about to teleport stay put; entities about to despawn keep their last
   * velocity.
   */
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
