/**
 * Checks the codec of a game's commands against its equality. Both ends simulate what the codec
 * carries and compare what the equality sees: a property that either of them forgets desyncs every
 * match that uses it.
 */
import { Random } from "../random.ts";
import type { Codec } from "./game.ts";
import { Coder, CodeReader, CodeWriter, WireError } from "./wire/range_coder.ts";

/** A codec that contradicts itself. The message names the property of the command. */
export class CodecError extends Error {
  override readonly name = "CodecError";
}

/**
 * Commands that are drawn by chance. All pairs of commands are compared, so the work grows with the
 * square.
 */
const DRAWN_COMMANDS = 24;
/** A codec that refuses more random bits than this takes none. */
const DRAWS_MAX = 4 * DRAWN_COMMANDS;
const SEED = 0x0c0dec;

/** Reads values by chance: each flag is as often set as not, whatever its probability. */
class ChanceCoder extends Coder {
  override readonly isReading = true;
  readonly #random = new Random(SEED);

  override flag(): boolean {
    return this.#random.bits() > 0x7fff_ffff;
  }

  override bits(_value: number, width: number): number {
    return width === 0 ? 0 : this.#random.bits() >>> (32 - width);
  }
}

/**
 * Proves a codec for its neutral command, for the samples, and for commands that are decoded from
 * chance:
 *
 *     same( a, a )
 *     decode( code( a, b ), b ) is the same as a
 *     same( a, b ) only if a and b code equally
 *
 * @param samples commands as a decoder returns them, which differ in every property
 * @throws CodecError that names the property, for a codec or an equality that forgets one
 */
export function checkCodec<Command>(codec: Codec<Command>, samples: readonly Command[] = []): void {
  // What to compare: all that code() reads from chance, and what the author gives
  const drawn = drawCommands(codec);
  const commands = [codec.neutral, ...samples, ...drawn];
  requireVariety(codec.neutral, drawn);

  // Each is the same as itself
  const wire = new Wire(codec);
  for (const command of commands) {
    if (!codec.same(command, command)) {
      throw new CodecError(`"same" finds ${shown(command)} different from itself`);
    }
  }

  // Each comes back from the wire, coded against each
  for (const reference of commands) {
    for (const command of commands) {
      requireCarried(codec, command, wire.carry(command, reference).decoded);
    }
  }

  // Two that are the same code equally, also if they differ in a single property
  for (const command of commands) {
    for (const other of commands) requireDistinguished(wire, command, other);
  }
  for (let i = 1; i < commands.length; i++) {
    for (const mixed of mixesOf(commands[i - 1]!, commands[i]!)) {
      requireDistinguished(wire, commands[i - 1]!, mixed);
    }
  }
}

/** Commands that differ from the first one in a single property, which is the second one's. */
function mixesOf<Command>(command: Command, other: Command): Command[] {
  if (Array.isArray(command)) {
    return command.map((_, i) => command.with(i, (other as readonly unknown[])[i])) as Command[];
  }
  return keysOf(command).map((key) => ({ ...command, [key]: partOf(other, key) }));
}

function requireDistinguished<Command>(
  wire: Wire<Command>,
  a: Command,
  b: Command,
): void {
  const { neutral, same } = wire.codec;
  if (!same(a, b) || wire.carry(a, neutral).bits === wire.carry(b, neutral).bits) return;
  throw new CodecError(`"same" forgets ${differing(a, b)}`);
}

const checkedCodecs = new WeakSet<object>();

/** `checkCodec` without samples, once for each codec. @throws CodecError as `checkCodec` */
export function checkCodecOnce<Command>(codec: Codec<Command>): void {
  if (checkedCodecs.has(codec)) return;
  checkCodec(codec);
  checkedCodecs.add(codec);
}

/** Commands decoded from chance. @throws CodecError for a codec that takes none */
function drawCommands<Command>(codec: Codec<Command>): Command[] {
  const coder = new ChanceCoder();
  const drawn: Command[] = [];
  for (let i = 0; i < DRAWS_MAX && drawn.length < DRAWN_COMMANDS; i++) {
    try {
      drawn.push(codec.code(codec.neutral, drawn.at(-1) ?? codec.neutral, coder));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
  }
  if (drawn.length === 0) {
    throw new CodecError(`"code" reads no command from ${DRAWS_MAX} random messages`);
  }
  return drawn;
}

/** A property that has one value in all commands from chance is not coded. */
function requireVariety<Command>(neutral: Command, drawn: readonly Command[]): void {
  for (const key of keysOf(neutral)) {
    const first = partOf(drawn[0], key);
    if (drawn.every((command) => areAlike(partOf(command, key), first))) {
      throw new CodecError(
        `"code" forgets ${quoted(key)}: every command that it reads has ${shown(first)} there`,
      );
    }
  }
}

function requireCarried<Command>(
  { same }: Codec<Command>,
  command: Command,
  decoded: Command,
): void {
  const lost = keysOf(command).find((key) => !areAlike(partOf(command, key), partOf(decoded, key)));
  if (lost === undefined && same(command, decoded)) return;
  const name = lost === undefined ? "the command" : quoted(lost);
  const [before, after] = lost === undefined
    ? [command, decoded]
    : [partOf(command, lost), partOf(decoded, lost)];
  throw new CodecError(`"code" changes ${name} from ${shown(before)} to ${shown(after)}`);
}

/** One message after another, written and read. */
class Wire<Command> {
  readonly codec: Codec<Command>;
  readonly #writer = new CodeWriter();

  constructor(codec: Codec<Command>) {
    this.codec = codec;
  }

  carry(command: Command, reference: Command): { decoded: Command; bits: string } {
    this.#writer.reset();
    this.codec.code(command, reference, this.#writer);
    const bytes = this.#writer.finish();
    const reader = new CodeReader(bytes);
    const decoded = this.codec.code(this.codec.neutral, reference, reader);
    return { decoded, bits: bytes.join() };
  }
}

/** The names of the properties that differ. */
function differing(a: unknown, b: unknown): string {
  const keys = [...new Set([...keysOf(a), ...keysOf(b)])].filter((key) =>
    !areAlike(partOf(a, key), partOf(b, key))
  );
  return keys.length === 0
    ? `what differs between ${shown(a)} and ${shown(b)}`
    : keys.map(quoted).join(" or ");
}

function keysOf(command: unknown): string[] {
  return typeof command === "object" && command !== null ? Object.keys(command) : [];
}

function partOf(command: unknown, key: string): unknown {
  return (command as Readonly<Record<string, unknown>> | undefined)?.[key];
}

function areAlike(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || shown(a) === shown(b);
}

function shown(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

function quoted(key: string): string {
  return `"${key}"`;
}
