/**
 * Extrapolation by simulation: what the head becomes in one more tick, with the commands as they are known now and our own hand as it
 * is now. A picture between two ticks lies on the line from one to the other, so a key shows in the next picture, not in the next tick.
 *
 *     drawn(head + fraction) = S(head) + fraction · ( f( S(head), C now ) − S(head) )
 *
 * It has a simulation of its own, filled from the snapshot of the head: nothing that is tried here can leak into the state. One
 * step serves all pictures until head or commands change, so it costs a load and a step per tick and key, not per picture.
 */
import type { Codec, Simulation, Tick } from "../../shared/netcode/game.ts";
import { PoseList } from "../../shared/netcode/pose_list.ts";
import { Snapshot } from "../../shared/snapshot.ts";

/** What is read of a session. */
export interface SessionView<Command> {
  readonly head: Tick;
  readonly poses: { readonly previous: PoseList; readonly head: PoseList };
  predictCommands(out: (Command | undefined)[]): void;
  copyState(tick: Tick, into: Snapshot): boolean;
}

export class Extrapolator<Command, Sim extends Simulation<Command>> {
  readonly simulation: Sim;
  /** Where everything that is there at the head will be a tick later, and what is new then. */
  readonly poses = new PoseList();
  readonly #same: Codec<Command>["same"];
  readonly #state = new Snapshot(0);
  readonly #nextPoses = new PoseList();
  #commands: (Command | undefined)[] = [];
  #used: (Command | undefined)[] = [];
  #version = -1;
  /** How often it has stepped, for who counts what it costs. */
  steps = 0;

  /** @param simulation of the same game and nobody else's */
  constructor(simulation: Sim, same: Codec<Command>["same"]) {
    this.simulation = simulation;
    this.#same = same;
  }

  /**
   * Looks again where something has changed.
   * @param version another number whenever the head has become another state
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
      return command === used || (command !== undefined && used !== undefined && this.#same(command, used));
    });
  }

  /** Who will be teleported waits for it where he is; who will be gone goes on as he went until he is. */
  #fillPoses({ previous, head }: SessionView<Command>["poses"]): void {
    const nextPoses = this.#nextPoses, poses = this.poses;
    poses.reset();
    for (let i = 0; i < head.count; i++) {
      const now = head.at(i), next = nextPoses.find(now.entity), pose = Object.assign(poses.add(), now);
      if (next !== undefined && next.teleports === now.teleports) Object.assign(pose, next);
      else if (next === undefined) extrapolatePose(pose, previous);
    }
    const newest = head.count === 0 ? -1 : head.at(head.count - 1).entity;
    for (let i = 0; i < nextPoses.count; i++) {
      if (nextPoses.at(i).entity > newest) Object.assign(poses.add(), nextPoses.at(i));
    }
  }
}

function extrapolatePose(pose: { entity: number; x: number; y: number; teleports: number }, previous: PoseList): void {
  const before = previous.find(pose.entity);
  if (before === undefined || before.teleports !== pose.teleports) return;
  pose.x += pose.x - before.x;
  pose.y += pose.y - before.y;
}
