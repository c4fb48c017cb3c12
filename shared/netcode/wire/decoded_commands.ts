/**
 * Turns commands into what the other end will decode. A codec may round what a game's code or an
 * analog stick gives, so the end that makes a command uses it only after this and all ends simulate
 * the same one (SPEC 1.22).
 */
import type { Codec } from "../game.ts";
import { CodeReader, CodeWriter } from "./range_coder.ts";

/**
 * Decodes the commands from one source, such as a player's input or an NPC. To pass the same object
 * again costs nothing.
 * @returns a function that throws a RangeError if the codec cannot write a value
 */
export function decodedBy<Command>(codec: Codec<Command>): (command: Command) => Command {
  const writer = new CodeWriter();
  const { neutral } = codec;
  let given = neutral;
  let decoded = neutral;
  return (command) => {
    if (command !== given) {
      writer.reset();
      codec.code(command, neutral, writer);
      decoded = codec.code(neutral, neutral, new CodeReader(writer.finish()));
      given = command;
    }
    return decoded;
  };
}
