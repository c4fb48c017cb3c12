/** The match that a row of the lab's tables is about. */
import type { ProfileName } from "../../../shared/netcode/simulated_network/network_profiles.ts";

export interface RowMatch {
  readonly profile: ProfileName;
  readonly link: "ordered" | "datagram";
  readonly players: number;
  readonly npcs: number;
  readonly seed: number;
  readonly correlated: boolean;
}

/** One whose begin does not count. */
export interface CountedMatch extends RowMatch {
  /** Counted seconds, after the warm-up. */
  readonly seconds: number;
}
