/**
 * Spoilt states of any game. Each must be refused with a `SnapshotError`, or loaded and saved as
 * the same words; right afterwards a good state must load.
 */
import type { Game } from "../../shared/netcode/game.ts";
import { Random } from "../../shared/random.ts";
import { Snapshot, SnapshotError } from "../../shared/snapshot.ts";
import { indicesByKind, SPOILINGS } from "../tools/soak/spoilings.ts";
import { MatchCommands } from "../../shared/duties/match_commands.ts";
import type { SyncOptions } from "../../shared/duties/sync_run.ts";

export interface HostileResult {
  readonly refused: number;
  readonly loaded: number;
  /** Number, spoiling and problem of the first failure; empty if there is none. */
  readonly firstFailure: string;
}

/** Spoils the state after some ticks, again and again. @param options.count spoilt states */
export function loadHostileStates<Command>(
  game: Game<Command>,
  { seed, ticks, count, ...options }: SyncOptions & { count: number },
): HostileResult {
  const simulation = game.start(options, seed);
  const commands = new MatchCommands(game, { seed });
  while (simulation.tick < ticks) simulation.step(commands.next(simulation));
  const snapshot = new Snapshot();
  const spoilt = new Snapshot();
  const saved = new Snapshot();
  simulation.save(snapshot);
  const good = { snapshot, indicesOf: indicesByKind(game.stateLabels!(simulation, snapshot)) };
  const names = Object.keys(SPOILINGS);
  const result = { refused: 0, loaded: 0, firstFailure: "" };

  for (let number = 0; number < count && result.firstFailure === ""; number++) {
    const spoiling = names[number % names.length]!;
    spoilt.copyFrom(snapshot);
    SPOILINGS[spoiling]!(spoilt, good, new Random(seed + number));
    const fail = (problem: string) => result.firstFailure = `${number}, ${spoiling}: ${problem}`;
    try {
      simulation.load(spoilt);
      result.loaded++;
      simulation.save(saved);
      if (!saved.equals(spoilt)) fail("saved other words than it has loaded");
    } catch (error) {
      if (error instanceof SnapshotError) result.refused++;
      else fail(String(error));
    }
    simulation.load(snapshot);
    simulation.save(saved);
    if (!saved.equals(snapshot)) fail("a good state is not loaded right afterwards");
  }

  return result;
}
