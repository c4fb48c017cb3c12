/** Stands for a server's secret in the lab, where a seed names all chance of a run and nobody has to be kept from it. */
import type { RoomSecret } from "../../server/server_secret.ts";
import { hashOf } from "../../shared/random.ts";

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
