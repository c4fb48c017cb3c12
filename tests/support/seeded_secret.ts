/**
 * Stands for a server's secret in the lab, where a seed names all chance of a run and nobody has to
 * be kept from it.
 */
import type { RoomSecret } from "../../server/ground/server_secret.ts";
import type { ResumeToken } from "../../shared/netcode/wire/messages.ts";
import { hashOf, Random } from "../../shared/random.ts";

/** @param seed unsigned, 32 bits @returns a secret whose rooms differ by their codes alone */
export function seededSecret(seed: number): RoomSecret {
  const seedOf = (_game: string, code: string) => hashOf(seed, parseInt(code, 36));
  return {
    seedOf,
    npcRandomOf(game, code) {
      const roomSeed = seedOf(game, code);
      return (a, b) => hashOf(roomSeed, a, b);
    },
  };
}

/**
 * @param seed unsigned, 32 bits
 * @returns what draws the tokens of seats, so that logs of one seed have the same bytes
 */
export function seededTokens(seed: number): () => ResumeToken {
  const tokens = new Random(seed ^ 0x70c);
  return () =>
    Array.from({ length: 4 }, () => tokens.bits().toString(16).padStart(8, "0")).join("");
}
