/** Random commands for any game: its codec reads them from random bits. Seats come and go. */
import { type Codec, type SeatId, SEATS } from "../netcode/game.ts";
import { CodeReader, WireError } from "../netcode/wire/range_coder.ts";
import { Random } from "../random.ts";

/** More bytes than any command has. */
const COMMAND_BYTES = 64;

/** @returns a command that differs from `reference`, as the codec reads it from random bits */
export function randomCommand<Command>(
  codec: Codec<Command>,
  reference: Command,
  random: Random,
): Command {
  for (;;) {
    const bytes = Uint8Array.from({ length: COMMAND_BYTES }, () => random.below(256));
    try {
      return codec.code(reference, reference, new CodeReader(bytes));
    } catch (error) {
      if (!(error instanceof WireError)) throw error; // these bits are no command
    }
  }
}

/** The commands of a few seats, tick by tick. */
export class RandomCommands<Command> {
  readonly #codec: Codec<Command>;
  readonly #random: Random;
  readonly #seats: readonly SeatId[];
  readonly #commands: (Command | undefined)[] = new Array(SEATS).fill(undefined);

  constructor(codec: Codec<Command>, { seed, seats }: { seed: number; seats: readonly SeatId[] }) {
    this.#codec = codec;
    this.#random = new Random(seed);
    this.#seats = seats;
  }

  /** @returns the commands of the next tick by seat */
  next(): readonly (Command | undefined)[] {
    const random = this.#random;
    for (const seat of this.#seats) {
      const before = this.#commands[seat];
      if (random.chance(before === undefined ? 0.2 : 0.01)) {
        this.#commands[seat] = before === undefined ? this.#codec.neutral : undefined;
      } else if (before !== undefined && random.chance(0.3)) {
        this.#commands[seat] = randomCommand(this.#codec, before, random);
      }
    }
    return [...this.#commands];
  }
}
