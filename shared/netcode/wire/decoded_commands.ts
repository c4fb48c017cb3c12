/**
 * Commands as the other end decodes them. A codec may round what a game's code or an analog stick gives. Whoever makes
 * a command uses it only after this, so that all ends simulate the same one (SPEC 1.20).
 */
import type { Codec } from "../game.ts";
import { CodeReader, CodeWriter } from "./range_coder.ts";

/** The commands of one source, such as a player's input or an NPC. */
export class DecodedCommands<Command> {
  readonly #codec: Codec<Command>;
  readonly #writer = new CodeWriter();
  #given: Command;
  #decoded: Command;

  /** @param codec the codec of the game's commands */
  constructor(codec: Codec<Command>) {
    this.#codec = codec;
    this.#given = this.#decoded = codec.neutral;
  }

  /**
   * The command as a decoder gives it. The same object again costs nothing.
   * @throws RangeError for values that the codec cannot write
   */
  of(command: Command): Command {
    if (command === this.#given) return this.#decoded;
    const { neutral } = this.#codec;
    this.#writer.reset();
    this.#codec.code(command, neutral, this.#writer);
    this.#decoded = this.#codec.code(neutral, neutral, new CodeReader(this.#writer.finish()));
    this.#given = command;
    return this.#decoded;
  }
}
