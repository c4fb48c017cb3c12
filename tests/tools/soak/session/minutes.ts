/**
 * What each minute of a dragon match had, from its log: arenas, modes, sets, things, kinds of NPCs
 * and events. It tells whether the ninth minute looks like the first one.
 */
import type { DragonSimulation } from "../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { SEATS } from "../../../../shared/netcode/game.ts";
import { replayedLog } from "../../../../shared/netcode/match_log/replayed_log.ts";

/** One minute of a match. */
export interface Minute {
  /** From 1. */
  readonly minute: number;
  /** What it had: "arena foundry", "event joust", sorted. */
  readonly had: readonly string[];
  /** What of that the first minute had not. */
  readonly isNew: readonly string[];
}

export interface SessionReport {
  readonly ticks: number;
  readonly rounds: number;
  readonly sets: number;
  readonly minutes: readonly Minute[];
}

/**
 * Plays a log again, and sorts what it had by minutes. A last minute of less than ten seconds counts
 * with the one before.
 * @throws LogError if the log is not as it was played
 */
export function sessionOf(log: Uint8Array): SessionReport {
  const minuteTicks = 60 * dragonGame.tickHz;
  const had: Set<string>[] = [];
  let rounds = 0;
  let sets = 0;
  const { replay, error } = replayedLog(log, {
    gameOf: (id) => id === dragonGame.id ? dragonGame : undefined,
    onTick: ({ simulation }) => {
      const dragons = simulation as unknown as DragonSimulation;
      const minute = Math.floor(Math.max(0, dragons.tick - 1) / minuteTicks);
      const now = had[minute] ??= new Set();
      for (const name of presentIn(dragons)) now.add(name);
      const { match } = dragons.world;
      rounds = Math.max(rounds, match.round);
      if (match.setOver && match.phase === "result" && dragons.events.some(isEndOfRound)) sets++;
    },
  });
  if (error !== undefined) throw error;

  const ticks = replay.tick;
  if (had.length > 1 && ticks % minuteTicks < 10 * dragonGame.tickHz) {
    const rest = had.pop()!;
    for (const name of rest) had.at(-1)!.add(name);
  }
  const first = had[0] ?? new Set();
  const minutes = had.map((names, i) => {
    const sorted = [...names].sort();
    return { minute: i + 1, had: sorted, isNew: sorted.filter((name) => !first.has(name)) };
  });
  return { ticks, rounds, sets, minutes };
}

const isEndOfRound = ({ kind }: { readonly kind: string }) => kind === "round";

/** What a tick has, in words. */
function* presentIn({ world, events }: DragonSimulation): Generator<string> {
  const { arena, mode, phase, suddenDeath, setOver, roundOfSet } = world.match;
  yield `arena ${arena}`;
  yield `mode ${mode}`;
  if (roundOfSet > 0) yield `round ${roundOfSet} of a set`;
  if (phase === "result") yield setOver ? "podium of a set" : "result of a round";
  if (suddenDeath) yield "sudden death";
  for (const name of Object.keys(dragonGame.declaration.things)) {
    if (world.all(name as "dragon").length > 0) yield `thing ${name}`;
  }
  for (let seat = 0; seat < SEATS; seat++) {
    const kind = world.npcKind(seat);
    if (kind !== undefined) yield `NPC ${kind}`;
  }
  for (const { kind } of events) yield `event ${kind}`;
}
