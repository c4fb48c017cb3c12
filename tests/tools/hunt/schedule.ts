/**
 * A seed determines a match with its players and their connections, and a schedule of faults. A
 * schedule is plain data, so a test can hold a shrunk one as JSON.
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
 * Who has the match: one server, one that only orders commands, several nodes that share it, or the
 * pages of its players.
 */
export type HuntedHost = "server" | "order" | "cluster" | "pages";

/**
 * One fault. All its details follow from these fields, so it does the same whatever other faults
 * there are.
 */
export interface Fault {
  /** When it begins, ms after the match. */
  readonly atMs: number;
  readonly kind: string;
  /**
   * The player whom it hits, as an index into `Setup.players`; some kinds hit no player, or all.
   */
  readonly who: number;
  /** How long it lasts, ms. */
  readonly ms: number;
  /** 32 bits, which decide everything else that it does by chance. */
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
/** A round's faults begin and end within this time, ms. */
const FAULTS_MS = 26_000;
/** The time between two faults, ms. With less a player would hardly ever play. */
const SPACING_MS_MIN = 300;
const SPACING_MS_MAX = 5_000;
/** The first players join in the first seconds. */
const FIRST_FAULT_MS = 2_000;
const LASTING_MS_MIN = 50;
const LASTING_MS_MAX = 7_000;
/** One in this many seeds plays dragons, because the counter game is seven times faster. */
const DRAGONS_EVERY = 9;
/** How far a cheap device's clock is off, in millionths. */
const CLOCK_PPM_MAX = 300;

/** What the schedule needs of a kind of fault. */
export interface DrawnKind {
  readonly kind: string;
  /** How often it is drawn, compared with 1. */
  readonly weight: number;
}

/** One player's connection and client. */
export interface PlayerSetup {
  readonly ordered: boolean;
  /** For a datagram link with faults of the network itself; otherwise `network` counts. */
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

/** The match that a seed determines. */
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
  /** Undefined for the seed's own game. */
  readonly game?: HuntedGame | undefined;
}

/** Draws a seed's faults. */
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
      // Now and then one fault follows immediately upon another.
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
