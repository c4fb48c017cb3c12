/** The line on which a crowd's players gain from datagrams. */
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";

/** Every fifth player is on it. */
export const LOSSY_EVERY = 5;
export const LOSSY_LINE = networkModelOf("far");
