/** A kind of fault: what it does to a world. */
import type { Simulation } from "../../../../shared/netcode/game.ts";
import type { Connection } from "../clients/connection.ts";
import type { Fault } from "../schedule.ts";
import type { HuntedWorld } from "../hunted_world.ts";

export interface FaultKind {
  /** How often it is drawn, compared with 1. */
  readonly weight: number;
  begin<Command, Sim extends Simulation<Command>>(
    world: HuntedWorld<Command, Sim>,
    fault: Fault,
  ): void;
}

/** The open connection of the player whom a fault hits; undefined while they have none. */
export function connectionOf<Command, Sim extends Simulation<Command>>(
  world: HuntedWorld<Command, Sim>,
  { who }: Fault,
): Connection<Command, Sim> | undefined {
  const connection = world.residents[who]?.connection;
  return connection?.isLive ? connection : undefined;
}
