/**
 * Codes a datagram from the client (WIRE 10): its commands, and what it received. There are two
 * kinds:
 *
 *     full     self-contained; each command is delta-coded against the command of the tick after it
 *     short    delta-coded against earlier datagrams, which the server has said that it has; mostly one byte
 *
 * A short datagram's reference is 8 to 15 ticks older, so that by then the client knows that it
 * arrived. A tick that is a multiple of 8 serves the 8 ticks in the next octet but one, so no bit
 * needs to name it.
 */
import type { Codec, Tick } from "../../game.ts";
import { codeChange } from "../announcement_codec.ts";
import { type DatagramHistory, TICK_BITS } from "./datagram_history.ts";
import {
  checkedTick,
  type ClientDatagram,
  type CommandsMessage,
  DATAGRAM_TICKS_MAX,
  dequantizeLead,
  LEAD_BITS,
  quantizeLead,
} from "../messages.ts";
import { codePingId } from "../ping_codec.ts";
import {
  P_BODIES_ACK_IS_RECEIVED,
  P_COMMAND,
  P_NEAR_REFERENCE,
  P_PLAYER_UNCHANGED,
  P_REFERENCE_COUNT,
  P_REFERENCE_LEAD,
  P_REFERENCE_OFFSET,
  P_SHORT,
  P_SHORT_UNCHANGED,
  P_STATUS,
} from "../probabilities.ts";
import { type Coder, WireError } from "../range_coder.ts";
import { codeSyncStatus } from "./sync_status_codec.ts";

/** Ticks from one reference to the next. */
const REFERENCE_TICKS = 8;

/** A datagram that newer ones overtook so long ago that it can no longer be read. */
export class StaleDatagramError extends WireError {
  override readonly name = "StaleDatagramError";
}

interface DatagramContext<Command> {
  /** How many commands to write in a full datagram, the newest ones. */
  readonly count: number;
  readonly history: DatagramHistory<Command>;
  readonly codec: Codec<Command>;
  readonly coder: Coder;
}

/**
 * Finds the two ticks that a datagram for `tick` can be delta-coded against, the nearer one first;
 * negative ones do not exist.
 */
export function referenceTicks(tick: Tick): readonly [Tick, Tick] {
  const nearer = tick - tick % REFERENCE_TICKS - REFERENCE_TICKS;
  return [nearer, nearer - REFERENCE_TICKS];
}

/**
 * Codes a client's datagram.
 * @throws RangeError if it writes a message and its reference, or the command before its oldest
 *   one, was not sent
 */
export function codeClientDatagram<Command>(
  message: ClientDatagram<Command>,
  context: DatagramContext<Command>,
): ClientDatagram<Command> {
  const { coder } = context;
  coder.part = "kind";
  if (!coder.flag(message.type === "commands", P_COMMAND)) {
    return { type: "ping", id: codePingId(message.type === "ping" ? message.id : 0, coder) };
  }
  const given = message.type === "commands" ? message : undefined;
  return coder.flag(given?.reference !== undefined, P_SHORT)
    ? codeShort(given, context)
    : codeFull(given, context);
}

function codeFull<Command>(
  given: CommandsMessage<Command> | undefined,
  { count, codec, coder }: DatagramContext<Command>,
): CommandsMessage<Command> {
  const received = checkedTick(coder.varint(given?.received ?? 0));
  const status = codeStatus(given, received, coder);
  const leadMs = dequantizeLead(coder.bits(quantizeLead(given?.leadMs ?? 0), LEAD_BITS));
  const tick = checkedTick(
    received + coder.signedVarint((given?.tick ?? 0) - (given?.received ?? 0)),
  );
  const codedCount = checkedCount(coder.varint(count), tick);
  const commands: Command[] = [];
  for (let i = 0; i < codedCount; i++) {
    const reference = commands.at(-1) ?? codec.neutral;
    const command = given?.commands[i] ?? codec.neutral;
    commands.push(codeChange(command, { codec, coder, reference, p: P_PLAYER_UNCHANGED }));
  }
  return messageOf({ tick, received, leadMs, commands, reference: undefined }, status);
}

/**
 * Codes a short datagram, with the oldest command first, because the server knows the one before
 * it.
 */
function codeShort<Command>(
  given: CommandsMessage<Command> | undefined,
  { history, codec, coder }: DatagramContext<Command>,
): CommandsMessage<Command> {
  // Its tick, and the earlier datagram that it refers to
  coder.part = "tick";
  const lowBits = coder.bits((given?.tick ?? 0) & ((1 << TICK_BITS) - 1), TICK_BITS);
  const tick = given?.tick ?? checkedTick(history.tickOf(lowBits));
  const [nearer, older] = referenceTicks(tick);
  const reference = coder.flag(given?.reference === nearer, P_NEAR_REFERENCE) ? nearer : older;

  // What that one says is likely here
  const fields = history.fieldsOf(reference);
  if (given !== undefined && given.reference !== reference) {
    throw new RangeError(`tick ${given.reference} is no reference of tick ${tick}`);
  }
  if (fields === undefined) {
    if (!coder.isReading) throw new RangeError(`no datagram of tick ${reference} was sent`);
    const message = `there is no datagram of tick ${reference}`;

    // The first datagram cannot have been overtaken.
    throw history.isEmpty ? new WireError(message) : new StaleDatagramError(message);
  }

  // Times and status
  coder.part = "received";
  const offset = coder.near(tick - (given?.received ?? 0), {
    likely: fields.offset,
    p: P_REFERENCE_OFFSET,
  });
  const received = checkedTick(tick - offset);
  const status = codeStatus(given, received, coder);
  coder.part = "lead";
  const likely = { likely: fields.lead, p: P_REFERENCE_LEAD };
  const leadMs = dequantizeLead(coder.near(quantizeLead(given?.leadMs ?? 0), likely));

  // How many commands follow the one that the server knows
  coder.part = "command";
  const usual = { likely: fields.commandCount, p: P_REFERENCE_COUNT };
  const count = checkedCount(coder.near(given?.commands.length ?? 0, usual), tick);
  let before = history.commandOf(tick - count);
  if (before === undefined) {
    if (!coder.isReading) throw new RangeError(`no command of tick ${tick - count} was sent`);
    return {
      ...messageOf({ tick, received, leadMs, commands: [], reference }, status),
      unreadCount: count,
    };
  }

  // Each command as a change from the one before
  const commands: Command[] = [];
  for (let i = count - 1; i >= 0; i--) {
    const command = given?.commands[i] ?? codec.neutral;
    before = codeChange(command, { codec, coder, reference: before, p: P_SHORT_UNCHANGED });
    commands.push(before);
  }

  return messageOf({ tick, received, leadMs, commands: commands.reverse(), reference }, status);
}

/** @throws WireError if the count is negative or too large, or reaches before tick 0 */
function checkedCount(count: number, tick: Tick): number {
  if (count < 0 || count > DATAGRAM_TICKS_MAX) {
    throw new WireError(`${count} commands; ${DATAGRAM_TICKS_MAX} are allowed`);
  }
  if (tick - count < -1) throw new WireError("a command for a tick before the first");
  return count;
}

type Status = Pick<CommandsMessage<never>, "isDesynced" | "bodyStreamRequest" | "bodiesAck">;

function codeStatus(given: Status | undefined, received: Tick, coder: Coder): Status {
  const { isDesynced, bodyStreamRequest } = codeSyncStatus(
    given ?? { isDesynced: false },
    P_STATUS,
    coder,
  );
  if (bodyStreamRequest === undefined) return { isDesynced };
  const expected = { likely: received, p: P_BODIES_ACK_IS_RECEIVED };
  return {
    isDesynced,
    bodyStreamRequest,
    bodiesAck: checkedTick(coder.near(given?.bodiesAck ?? 0, expected)),
  };
}

function messageOf<Command>(
  { reference, ...fields }:
    & Pick<CommandsMessage<Command>, "tick" | "received" | "leadMs" | "commands">
    & { reference: Tick | undefined },
  status: Status,
): CommandsMessage<Command> {
  const message: CommandsMessage<Command> = { type: "commands", ...fields, ...status };
  return reference === undefined ? message : { ...message, reference };
}
