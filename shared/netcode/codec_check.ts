/**
 * Checks a command codec against its own equality. Both ends simulate what the codec carries and
 * compare what the equality sees, so a property that either of them forgets desyncs every match
 * that uses it.
 */
import { Random } from "../random.ts";
import type { Codec } from "./game.ts";
import { Coder, CodeReader, CodeWriter, WireError } from "./wire/range_coder.ts";

/** A codec that contradicts itself. The message names the command's property. */
export class CodecError extends Error {
  override readonly name = "CodecError";
}

/** How many random commands to draw. All pairs are compared, so the work grows with the square. */
const DRAWN_COMMANDS = 24;
/** After so many draws, a codec that still yields no command is taken to accept none. */
const DRAWS_MAX = 4 * DRAWN_COMMANDS;
const SEED = 0x0c0dec;

/**
 * Reads random values: it sets each flag half the time, whatever the codec says about its
 * probability.
 */
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
 * Proves a codec for its neutral command, the samples, and commands decoded from random bits:
 *
 *     same( a, a )
 *     decode( code( a, b ), b ) is the same as a
 *     same( a, b ) only if a and b code equally
 *
 * @param samples commands as a decoder returns them, which differ in every property
 * @throws CodecError if the codec or its equality forgets a property; the message names it
 */
export function checkCodec<Command>(codec: Codec<Command>, samples: readonly Command[] = []): void {
  // Compare what code() reads from random bits, and what the author gives
  const drawn = drawCommands(codec);
  const commands = [codec.neutral, ...samples, ...drawn];
  requireVariety(codec.neutral, drawn);

  // Each command must equal itself
  const wire = new Wire(codec);
  for (const command of commands) {
    if (!codec.same(command, command)) {
      throw new CodecError(`"same" finds ${shown(command)} different from itself`);
    }
  }

  // Each must come back from the wire, coded against each other one
  for (const reference of commands) {
    for (const command of commands) {
      requireCarried(codec, command, wire.carry(command, reference).decoded);
    }
  }

  // Two that are the same must code equally, even if they differ in one property
  for (const command of commands) {
    for (const other of commands) requireDistinguished(wire, command, other);
  }
  for (let i = 1; i < commands.length; i++) {
    for (const mixed of mixesOf(commands[i - 1]!, commands[i]!)) {
      requireDistinguished(wire, commands[i - 1]!, mixed);
    }
  }
}

/** Takes the first command and replaces one property at a time by the second command's. */
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

/** Runs `checkCodec` without samples, once for each codec. @throws CodecError as `checkCodec` */
export function checkCodecOnce<Command>(codec: Codec<Command>): void {
  if (checkedCodecs.has(codec)) return;
  checkCodec(codec);
  checkedCodecs.add(codec);
}

/** Decodes commands from random bits. @throws CodecError if the codec accepts none */
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

/** If a property takes one value in all random commands, the codec does not code it. */
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

/** Writes a command as a message and reads it back. */
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
