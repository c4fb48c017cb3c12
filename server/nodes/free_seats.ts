/**
 * How many players some nodes would still take:
 *
 *     free seats = Σ over nodes that take players: (0.9 · load limit − load) · players per load
 */
import { type NodeHeartbeat, takesMatches } from "./nodes.ts";

/** A node takes newcomers up to this share of its limit. */
const OFFERED_LOAD_SHARE = 0.9;
/** Players per load before any are measured: eight in a match that takes a hundredth of a core. */
const PLAYERS_PER_LOAD = 800;
/** Below this load of a region, as a sum of its nodes, its players per load are not measured. */
const MEASURED_LOAD_MIN = 0.05;

/** How many players some nodes would still take, by their load and by what a player costs there. */
export function freeSeatsIn(nodes: readonly NodeHeartbeat[]): number {
  const load = nodes.reduce((sum, each) => sum + each.load, 0);
  const players = nodes.reduce((sum, { health }) => sum + (health?.clients ?? 0), 0);
  const isMeasured = load >= MEASURED_LOAD_MIN && players > 0;
  const perLoad = isMeasured ? players / load : PLAYERS_PER_LOAD;
  const spare = nodes.filter(takesMatches)
    .reduce((sum, each) => sum + Math.max(0, OFFERED_LOAD_SHARE * each.loadMax - each.load), 0);
  return spare * perLoad;
}

/** The same by region. */
export function freeSeatsByRegion(living: readonly NodeHeartbeat[]): Map<string, number> {
  const byRegion = Map.groupBy(living, ({ region }) => region);
  return new Map(
    Array.from(byRegion, ([region, nodes]) => [region, Math.round(freeSeatsIn(nodes))]),
  );
}
