/**
 * A seed means a match with its players and their lines, and a schedule of faults. A schedule is
 * plain data, so a test can hold a shrunk one as JSON.
 *
 *     round = faults for 26 s · 4 s of quiet, after which all who are connected have to be in sync
 */
import type { LossyModel } from "../lab/links/lossy_link.ts";
import { Random } from "../../../shared/random.ts";
import type { NetworkModel } from "../../../shared/netcode/simulated_network/network_model.ts";
import {
  networkModelOf,
  PROFILE_NAMES,
} from "../../../shared/netcode/simulated_network/network_profiles.ts";

export type HuntedGame = "counter" | "dragons";

/**
 * One fault. All of its details follow from these fields, so it does the same whatever other faults
 * there are.
 */
export interface Fault {
  /** When it begins, ms after the match's begin. */
  readonly atMs: number;
  readonly kind: string;
  /** The player whom it hits, an index into `Setup.players`; some kinds hit nobody, or all. */
  readonly who: number;
  /** How long it lasts, ms. */
  readonly ms: number;
  /** The rest of what it does by chance, 32 bits. */
  readonly draw: number;
}

/** A run that a test can hold. */
export interface Schedule {
  readonly seed: number;
  readonly game: HuntedGame;
  /** Of virtual time. */
  readonly seconds: number;
  readonly faults: readonly Fault[];
}

export const ROUND_SECONDS = 30;
/** Faults of a round begin and end within this time, ms. */
const FAULTS_MS = 26_000;
/** Between two faults: more often and a player would hardly ever play, ms. */
const SPACING_MS_MIN = 300;
const SPACING_MS_MAX = 5_000;
/** The first players join in the first seconds. */
const FIRST_FAULT_MS = 2_000;
const LASTING_MS_MIN = 50;
const LASTING_MS_MAX = 7_000;
/** Every so many seeds play dragons; the counter game is seven times faster. */
const DRAGONS_EVERY = 9;
/** The clock of a cheap device, in millionths. */
const CLOCK_PPM_MAX = 300;

/** A kind of fault as the schedule sees it. */
export interface DrawnKind {
  readonly kind: string;
  /** How often it is drawn, as compared with 1. */
  readonly weight: number;
}

/** One player's line and client. */
export interface PlayerSetup {
  readonly ordered: boolean;
  /** For a datagram link whose faults the network already has; otherwise `network` counts. */
  readonly lossy: LossyModel | undefined;
  readonly network: NetworkModel;
  readonly clockPpm: number;
  /** Whether it asks for the body stream. */
  readonly startsOnBodyStream: boolean;
}

export interface Setup {
  readonly players: readonly PlayerSetup[];
  readonly npcs: number;
  readonly stream: "commands" | "state";
}

export function gameOfSeed(seed: number): HuntedGame {
  return seed % DRAGONS_EVERY === 0 ? "dragons" : "counter";
}

/** The match of a seed. */
export function setupOf(seed: number, game: HuntedGame): Setup {
  const random = new Random(seed ^ 0x5e7);
  const count = game === "dragons" ? 2 + random.below(2) : 2 + random.below(3);
  const stream = random.chance(0.15) ? "state" : "commands";
  const players = Array.from({ length: count }, () => playerOf(random));
  return { players, npcs: game === "dragons" ? 2 + random.below(5) : random.below(5), stream };
}

function playerOf(random: Random): PlayerSetup {
  const network = networkModelOf(PROFILE_NAMES[random.below(PROFILE_NAMES.length)]!);
  const ordered = random.chance(0.5);
  const isLossy = random.chance(0.4);
  const lossy = {
    oneWayMs: network.oneWayMs,
    jitterMs: 20,
    loss: 0.03,
    duplicated: 0.02,
    delayed: 0.03,
  };
  return {
    ordered,
    network,
    lossy: !ordered && isLossy ? lossy : undefined,
    clockPpm: CLOCK_PPM_MAX * (2 * random.fraction() - 1),
    startsOnBodyStream: random.chance(0.15),
  };
}

/** How long a seed is played. */
export interface HuntedTime {
  /** At least a round. */
  readonly seconds: number;
  /** The seed's own game if it is undefined. */
  readonly game?: HuntedGame | undefined;
}

/** Draws the faults of a seed. */
export function scheduleOf(
  seed: number,
  { seconds, kinds, game = gameOfSeed(seed) }: HuntedTime & { kinds: readonly DrawnKind[] },
): Schedule {
  const random = new Random(seed);
  const players = setupOf(seed, game).players.length;
  const faults: Fault[] = [];
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);

  for (
    let roundMs = 0;
    roundMs + ROUND_SECONDS * 1000 <= seconds * 1000;
    roundMs += ROUND_SECONDS * 1000
  ) {
    const endMs = roundMs + FAULTS_MS;
    for (let atMs = roundMs + FIRST_FAULT_MS; atMs < endMs - LASTING_MS_MIN;) {
      const lastingMs = LASTING_MS_MIN + random.below(LASTING_MS_MAX);
      faults.push({
        atMs,
        kind: drawKind(kinds, random.fraction() * total),
        who: random.below(players),
        ms: Math.min(endMs - atMs, lastingMs),
        draw: random.bits(),
      });
      // Now and then a fault comes right upon the other.
      atMs += random.chance(0.2)
        ? random.below(SPACING_MS_MIN)
        : SPACING_MS_MIN + random.below(SPACING_MS_MAX);
    }
  }

  return { seed, game, seconds, faults };
}

function drawKind(kinds: readonly DrawnKind[], at: number): string {
  let left = at;
  for (const { kind, weight } of kinds) {
    left -= weight;
    if (left < 0) return kind;
  }
  return kinds.at(-1)!.kind;
}
