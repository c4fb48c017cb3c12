/** One direction of one client through a relay of UDP. */
import type { NetworkDirection } from "../../../shared/netcode/simulated_network/network_model.ts";
import type { Schedule } from "./schedule.ts";

/** Packets under way: those of 200 players for a second. The relay drops what comes beyond that. */
const IN_FLIGHT_MAX = 16_384;

/** The fate of the packets of one direction, for all clients together. */
export interface PacketCounts {
  /** Packets that came to the relay. */
  packets: number;
  passed: number;
  /** Lost by the model of the line, and the number of runs of such packets. */
  lost: number;
  bursts: number;
  duplicated: number;
  /** Passed on after a packet that had come later. */
  overtaken: number;
  tooLong: number;
  /** Dropped while nothing passed. */
  dark: number;
}

export function newPacketCounts(): PacketCounts {
  return {
    packets: 0,
    passed: 0,
    lost: 0,
    bursts: 0,
    duplicated: 0,
    overtaken: 0,
    tooLong: 0,
    dark: 0,
  };
}

/** The treatment of all packets of a relay. A test may change it at any time. */
export interface RelayState {
  readonly schedule: Schedule;
  /** Whether nothing passes. Packets under way still arrive. */
  isDark: boolean;
  /** The longest packet that passes: bytes of its payload. */
  payloadBytesMax: number;
}

export interface PacketFlowOptions {
  readonly state: RelayState;
  readonly network: NetworkDirection;
  /** The network's start, ms on `performance.now`. */
  readonly beganMs: number;
  readonly counts: PacketCounts;
  readonly forward: (packet: Uint8Array) => void;
}

export class PacketFlow {
  readonly #options: PacketFlowOptions;
  #isLosing = false;
  #count = 0;
  #newestPassed = -1;

  constructor(options: PacketFlowOptions) {
    this.#options = options;
  }

  /** Takes a packet that is sent now. */
  take(packet: Uint8Array): void {
    const { counts, network: { datagrams }, state, beganMs } = this.#options;
    counts.packets++;
    if (state.isDark) return void counts.dark++;
    if (packet.length > state.payloadBytesMax) return void counts.tooLong++;
    const sinceMs = performance.now() - beganMs;
    const atMs = datagrams.send(sinceMs);
    const isLost = atMs === Infinity || state.schedule.length >= IN_FLIGHT_MAX;
    if (isLost && !this.#isLosing) counts.bursts++;
    this.#isLosing = isLost;
    if (isLost) return void counts.lost++;
    const number = this.#count++;
    this.#passAt(atMs, { packet, number });
    const againMs = datagrams.repeat(sinceMs);
    if (againMs === Infinity) return;
    counts.duplicated++;
    this.#passAt(againMs, { packet, number });
  }

  #passAt(atMs: number, { packet, number }: { packet: Uint8Array; number: number }): void {
    const { state, beganMs, counts, forward } = this.#options;
    state.schedule.at(beganMs + atMs, () => {
      counts.passed++;
      if (number < this.#newestPassed) counts.overtaken++;
      this.#newestPassed = Math.max(this.#newestPassed, number);
      forward(packet);
    });
  }
}
