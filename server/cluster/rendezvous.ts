/**
 * Which node takes over a match: rendezvous hashing (Thaler and Ravishankar, 1998). Every node
 * computes the same order of candidates from the same list, without a message:
 *
 *     weight(code, node) = hash( hash(node), hash(code) );   the greatest weight has rank 0
 *
 * When a node goes, only its own matches move, and they spread over all others. The order is a
 * hint: the log decides who owns a match. Two nodes whose lists differ lose a race at worst, and no
 * tick.
 */
import { hashOf } from "../../shared/random.ts";

/**
 * A candidate of rank r waits r × 100 ms. A fence takes 12 ms in the median and 36 at most, so the
 * next candidate mostly sees that the match is taken.
 */
export const RANK_STEP_MS = 100;
/**
 * Candidates that wait in a row. Later ranks wait as long as the last of them: even if the first
 * sixteen are gone, too, a match is taken after 1.6 s.
 */
export const RANKS_MAX = 16;

/** FNV-1a's offset basis and prime for 32 bits. */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** A node's weight for one match: an unsigned 32-bit integer. */
function weightOf(code: string, node: string): number {
  return hashOf(textHash(node), textHash(code));
}

/**
 * @param nodes the names of the nodes that live, in any order, each once
 * @returns the same names, the first candidate first; two equal weights are ordered by name
 */
export function candidatesFor(code: string, nodes: Iterable<string>): string[] {
  const weighed = Array.from(nodes, (node) => ({ node, weight: weightOf(code, node) }));
  weighed.sort((a, b) => b.weight - a.weight || (a.node < b.node ? -1 : 1));
  return weighed.map(({ node }) => node);
}

/**
 * @returns the place of `node` among the candidates, 0 … ; its own name counts as listed. It sorts
 *   nothing.
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

/** How long a candidate waits after it has found the owner silent, ms. */
export function rankDelayMs(rank: number): number {
  return Math.min(rank, RANKS_MAX) * RANK_STEP_MS;
}

/** FNV-1a over the UTF-16 units of a text: an unsigned 32-bit integer. */
function textHash(text: string): number {
  let hash = FNV_BASIS;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME);
  return hash >>> 0;
}
