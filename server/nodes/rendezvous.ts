/**
 * Decides which node takes over a match, by rendezvous hashing (Thaler and Ravishankar, 1998).
 * Every node computes the same order of candidates from the same list, without exchanging a
 * message:
 *
 *     weight(code, node) = hash( hash(node), hash(code) );   the greatest weight has rank 0
 *
 * When a node goes, only its own matches move, and they spread over all others. The order is a
 * hint, because the log decides who owns a match. Two nodes with different lists at worst lose a
 * race, and never a tick.
 */
import { hashOf } from "../../shared/random.ts";

/**
 * A candidate of rank r waits r × 100 ms. A fence takes 12 ms in the median and 36 at most, so the
 * next candidate usually sees that the match is taken.
 */
export const RANK_STEP_MS = 100;
/**
 * How many ranks wait longer than the one before. Later ranks all wait as long as the last of
 * these: even if the first sixteen candidates are gone too, a match is taken after 1.6 s.
 */
export const RANKS_MAX = 16;

/** FNV-1a's offset basis and prime for 32 bits. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A node's weight for a match: an unsigned 32-bit integer. */
function weightOf(code: string, node: string): number {
  return hashOf(textHash(node), textHash(code));
}

/**
 * @param nodes the names of living nodes, in any order, each once
 * @returns the same names, first candidate first; equal weights are ordered by name
 */
export function candidatesFor(code: string, nodes: Iterable<string>): string[] {
  const weighed = Array.from(nodes, (node) => ({ node, weight: weightOf(code, node) }));
  weighed.sort((a, b) => b.weight - a.weight || (a.node < b.node ? -1 : 1));
  return weighed.map(({ node }) => node);
}

/**
 * @returns the rank of `node` among the candidates, from 0, counting its own name as listed. It
 * needs no sorting.
 */
export function rankOf(node: string, code: string, nodes: Iterable<string>): number {
  const own = weightOf(code, node);
  let rank = 0;
  for (const other of nodes) {
    if (other === node) continue;
    const weight = weightOf(code, other);
    if (weight > own || weight === own && other < node) rank++;
  }
  return rank;
}

/** How long a candidate waits after it found the owner silent, ms. */
export function rankDelayMs(rank: number): number {
  return Math.min(rank, RANKS_MAX) * RANK_STEP_MS;
}

/** FNV-1a over the UTF-16 units of a text: an unsigned 32-bit integer. */
function textHash(text: string): number {
  let hash = FNV_BASIS;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash >>> 0;
}
