/**
 * Does it pay to meddle with one's line or one's clock? Duels of five seconds between a cheat and an honest twin: the same kind
 * of hands, the same kind of line, each match played twice with seats swapped.
 *
 *     win share = duels won / duels decided        with nothing to gain ½, or less
 *
 * The hands are people's: they look up a few times a second. A longer lead alone can be no gain, whatever the hands: who has the
 * shorter one knows more when he decides, and could always decide as early as the other.
 */
import { Bot } from "../../../client/games/dragons/bot.ts";
import { Session } from "../../../client/session/session.ts";
import type { DragonCommand } from "../../../shared/games/dragons/command.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import type { DragonSimulation } from "../../../shared/games/dragons/simulation.ts";
import { networkModelOf } from "../../../shared/netcode/simulated_network/network_profiles.ts";
import { hashOf } from "../../../shared/random.ts";
import { type Cheat, CheatingLink, CHEATS } from "../links/cheating_link.ts";
import { Lab } from "../lab.ts";
import { LocalLink } from "../links/local_link.ts";

const PROFILE = "cable";
/** Until both are in the game, nobody is invulnerable, and leads have settled. */
const WARM_UP_SECONDS = 6;
const DUEL_SECONDS = 5;
/** A round lasts 90 s. */
const DUELS_PER_MATCH = 8;

export interface CheatResult {
  readonly name: string;
  readonly duels: number;
  /** Duels in which one of them scored more. */
  readonly decided: number;
  /** Of the decided ones, 0 … 1. */
  readonly winShare: number;
  /** Matches played twice with seats swapped: duels of one match are not independent, pairs of matches are. */
  readonly pairs: number;
  /** The standard deviation of `winShare` where there is nothing to gain, as the pairs scatter; no less than by duels alone. */
  readonly deviation: number;
}

/** Every cheat. @param duels of each at least; half of them on the other seat */
export function runCheats(seed: number, duels: number, cheats: readonly Cheat[] = CHEATS): CheatResult[] {
  return cheats.map((cheat) => {
    const pairs: Score[] = [];
    for (let pair = 0; pair * 2 * DUELS_PER_MATCH < duels; pair++) {
      const options = { seed: hashOf(seed, pair), ordered: pair % 2 === 0 };
      const [one, other] = [0, 1].map((seat) => playMatch(cheat, { ...options, seat })) as [Score, Score];
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
 * The share of all pairs together, and how far chance alone takes it from a half, by how the pairs scatter around that share:
 * around a half, a cheat that wins everything would widen its own margin, and a few pairs could never exceed it.
 */
export function shareOf(pairs: readonly Score[]): Omit<CheatResult, "name" | "duels"> {
  const won = pairs.reduce((sum, score) => sum + score.won, 0);
  const decided = pairs.reduce((sum, score) => sum + score.won + score.lost, 0);
  const among = Math.max(1, decided), winShare = won / among;
  const squares = pairs.reduce((sum, score) => sum + (score.won - winShare * (score.won + score.lost)) ** 2, 0);
  // The share is taken from the pairs themselves, which makes them seem closer together.
  const scatter = Math.sqrt(squares * pairs.length / Math.max(1, pairs.length - 1)) / among;
  return { pairs: pairs.length, decided, winShare, deviation: Math.max(scatter, 0.5 / Math.sqrt(among)) };
}

/** How far from a half pure chance is in one of twenty, both sides together: two standard deviations. */
export function chanceMargin({ deviation }: CheatResult): number {
  return 2 * deviation;
}

/** Whether a cheat won more often than chance explains. */
export function isProfitable(result: CheatResult): boolean {
  return result.winShare > 0.5 + chanceMargin(result);
}

function playMatch(
  cheat: Cheat,
  { seed, seat, ordered }: { seed: number; seat: number; ordered: boolean },
): Score {
  const lab = new Lab<DragonCommand, DragonSimulation>({ game: dragonGame, seed, npcs: 0 });
  for (const index of [0, 1]) joinDuel(lab, { cheat: index === seat ? cheat : undefined, ordered, index });
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

/** By how many points the player on this seat leads. */
function scoreLeadOf(lab: Lab<DragonCommand, DragonSimulation>, seat: number): number {
  const score = (seat: number) => lab.serverSimulation!.dragonOfSeat(seat)!.fields.score;
  return score(seat) - score(1 - seat);
}

/** Metres between the two, as one of them sees it; Infinity while one is away. */
function distanceSeen(simulation: DragonSimulation | undefined): number {
  const [one, other] = [simulation?.dragonOfSeat(0), simulation?.dragonOfSeat(1)];
  return one === undefined || other === undefined
    ? Infinity
    : Math.sqrt((one.x - other.x) ** 2 + (one.y - other.y) ** 2);
}

/** Both join in the same way, so that what chance does to their lines is the same whoever cheats. */
function joinDuel(
  lab: Lab<DragonCommand, DragonSimulation>,
  { cheat, ordered, index }: { cheat: Cheat | undefined; ordered: boolean; index: number },
): void {
  const bot = new Bot(lab.random.bits());
  const [near, far] = LocalLink.pair({ ordered });
  const link = new CheatingLink(near, {
    model: networkModelOf(PROFILE),
    seed: lab.random.bits(),
    clock: lab.clock,
    cheat,
    codec: dragonGame.command,
    distance: (): number => distanceSeen(session.simulation),
  });
  lab.rooms.admit(far);
  const { clock } = lab;
  const session: Session<DragonCommand, DragonSimulation> = new Session({
    game: dragonGame,
    link,
    clock,
    room: "LABS",
    name: `p${index}`,
    commandSource: bot,
  });
  bot.attach(session);
  lab.players.push({ session, link, far, clockRate: 1 });
}
