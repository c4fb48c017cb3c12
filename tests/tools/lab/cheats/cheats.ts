/**
 * Measures whether it pays to manipulate one's link or clock. A cheat and an honest player play
 * duels of five seconds, with the same kind of bot and the same network conditions. Each match is
 * played twice with seats swapped.
 *
 *     win share = duels won / duels decided        ½ or less if cheating does not pay
 *
 * The bots decide as often as people do, a few times a second. A longer lead alone can never pay,
 * because the player with the shorter lead has newer information when deciding, and could always
 * decide as early as the other.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { Bot } from "../../../../client/games/dragons/bot.ts";
import { Session } from "../../../../client/session/session.ts";
import { SessionDatagrams } from "../../../../client/session/datagrams/session_datagrams.ts";
import { networkModelOf } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { hashOf } from "../../../../shared/random.ts";
import { type Cheat, CheatingLink, CHEATS } from "../links/cheating_link.ts";
import { Lab } from "../lab.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";

const PROFILE = "cable";
/** Seconds until both are in the game, neither is invulnerable, and leads have converged. */
const WARM_UP_SECONDS = 6;
const DUEL_SECONDS = 5;
/** Together with the warm-up they fit into a 90 s round. */
const DUELS_PER_MATCH = 8;

export interface CheatResult {
  readonly name: string;
  readonly duels: number;
  /** Duels in which one player scored more than the other. */
  readonly decided: number;
  /** Duels won by the cheat over duels decided, 0 … 1. */
  readonly winShare: number;
  /**
   * Matches played twice with seats swapped. Duels within a match are not independent, but pairs of
   * matches are.
   */
  readonly pairs: number;
  /**
   * The standard deviation of `winShare` estimated from the pairs' scatter, but at least that of as
   * many independent duels.
   */
  readonly deviation: number;
}

/**
 * Plays all cheats.
 * @param duels the least number against each cheat, half of them on the other seat
 */
export function runCheats(
  seed: number,
  duels: number,
  cheats: readonly Cheat[] = CHEATS,
): CheatResult[] {
  return cheats.map((cheat) => {
    const pairs: Score[] = [];
    for (let pair = 0; pair * 2 * DUELS_PER_MATCH < duels; pair++) {
      const options = { seed: hashOf(seed, pair), ordered: pair % 2 === 0 };
      const [one, other] = [0, 1].map((seat) => playMatch(cheat, { ...options, seat })) as [
        Score,
        Score,
      ];
      pairs.push({ won: one.won + other.won, lost: one.lost + other.lost });
    }
    return { name: cheat.name, duels: pairs.length * 2 * DUELS_PER_MATCH, ...shareOf(pairs) };
  });
}

interface Score {
  readonly won: number;
  readonly lost: number;
}

/**
 * The share over all pairs together, and its standard deviation estimated from the pairs' scatter
 * around that share. Scatter around a half would widen the margin of a cheat that wins everything,
 * so that a few pairs could never exceed it.
 */
export function shareOf(pairs: readonly Score[]): Omit<CheatResult, "name" | "duels"> {
  const won = pairs.reduce((sum, score) => sum + score.won, 0);
  const decided = pairs.reduce((sum, score) => sum + score.won + score.lost, 0);
  const among = Math.max(1, decided);
  const winShare = won / among;
  const squares = pairs.reduce(
    (sum, score) => sum + (score.won - winShare * (score.won + score.lost)) ** 2,
    0,
  );
  // Bessel's correction, because the share itself is computed from these pairs.
  const scatter = Math.sqrt(squares * pairs.length / Math.max(1, pairs.length - 1)) / among;
  return {
    pairs: pairs.length,
    decided,
    winShare,
    deviation: Math.max(scatter, 0.5 / Math.sqrt(among)),
  };
}

/**
 * Two standard deviations: by chance alone one run in twenty is farther from a half, both sides
 * together.
 */
export function chanceMargin({ deviation }: CheatResult): number {
  return 2 * deviation;
}

/** True if the cheat won more often than chance explains. */
export function isProfitable(result: CheatResult): boolean {
  return result.winShare > 0.5 + chanceMargin(result);
}

function playMatch(
  cheat: Cheat,
  { seed, seat, ordered }: { seed: number; seat: number; ordered: boolean },
): Score {
  const lab = new Lab<DragonCommand, DragonSimulation>({ game: dragonGame, seed, npcs: 0 });
  for (const index of [0, 1]) {
    joinDuel(lab, { cheat: index === seat ? cheat : undefined, ordered, index });
  }
  lab.run(WARM_UP_SECONDS);
  const result = { won: 0, lost: 0 };
  let before = scoreLeadOf(lab, seat);
  for (let duel = 0; duel < DUELS_PER_MATCH; duel++) {
    lab.run(DUEL_SECONDS);
    const after = scoreLeadOf(lab, seat);
    if (after > before) result.won++;
    if (after < before) result.lost++;
    before = after;
  }
  return result;
}

/** This seat's score minus the other's. */
function scoreLeadOf(lab: Lab<DragonCommand, DragonSimulation>, seat: number): number {
  const score = (seat: number) => lab.serverSimulation!.world.player(seat)!.fields.score;
  return score(seat) - score(1 - seat);
}

/** Metres between the two dragons in one client's simulation; Infinity while one is missing. */
function distanceSeen(simulation: DragonSimulation | undefined): number {
  const [one, other] = [simulation?.world.player(0), simulation?.world.player(1)];
  return one === undefined || other === undefined
    ? Infinity
    : Math.sqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2);
}

/** Both players draw the same random numbers for bot and link, whichever of them cheats. */
function joinDuel(
  lab: Lab<DragonCommand, DragonSimulation>,
  { cheat, ordered, index }: { cheat: Cheat | undefined; ordered: boolean; index: number },
): void {
  const bot = new Bot(lab.random.bits());
  const [clientEnd, serverEnd] = LocalLink.pair({ ordered });
  const link = new CheatingLink(clientEnd, {
    model: networkModelOf(PROFILE),
    seed: lab.random.bits(),
    clock: lab.clock,
    cheat,
    codec: dragonGame.command,
    distance: (): number => distanceSeen(session.simulation),
  });
  lab.rooms.admit(serverEnd);
  const { clock } = lab;
  const session: Session<DragonCommand, DragonSimulation> = new Session({
    game: dragonGame,
    link,
    clock,
    room: "LABS",
    name: `p${index}`,
    commandSource: bot,
    datagramSupport: (use) => use(SessionDatagrams),
  });
  bot.attach(session);
  lab.players.push({ session, link, serverEnd, clockRate: 1 });
}
