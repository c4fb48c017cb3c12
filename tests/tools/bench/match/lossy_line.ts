/** The line of a crowd's players who gain by datagrams. */
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";

/** Every fifth player has it. */
export const LOSSY_EVERY = 5;
export const LOSSY_LINE = networkModelOf("far");
