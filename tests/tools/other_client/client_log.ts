/**
 * The other client's log (`main.ts` has its lines), read as text from outside: every line is
 * checked.
 */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { commandOf } from "../../support/dragons.ts";
import * as z from "zod";
import { PLAYER_SEATS, type SeatId, type Tick } from "../../../shared/netcode/game.ts";
import { quoted } from "../../../shared/quoted.ts";

/**
 * Thrown for a log that breaks the contract. The message is one line that names the line of the
 * log.
 */
export class LogError extends Error {
  override readonly name = "LogError";
}

/** A body as the client has it: metres. */
export interface LoggedBody {
  readonly kind: number;
  readonly x: number;
  readonly y: number;
}

/** The last line of a log. */
export type LogEnd = Omit<z.output<typeof END>, "type">;

export interface ClientLog {
  /** Undefined without a welcome. */
  readonly seat: SeatId | undefined;
  /** The commands that the client sent, by tick. */
  readonly sent: ReadonlyMap<Tick, DragonCommand>;
  /** The definitive ticks that it received, ascending, each with its bodies by entity. */
  readonly ticks: ReadonlyMap<Tick, ReadonlyMap<number, LoggedBody>>;
  /** Undefined if the client ended early. */
  readonly end: LogEnd | undefined;
}

const COUNT = z.int().min(0);
const NUMBER = z.number();
const COUNTER = z.literal([0, 1, 2, 3]);

const WELCOME = z.object({
  type: z.literal("welcome"),
  seat: z.int().min(0).max(PLAYER_SEATS - 1),
});
const SENT = z.object({
  type: z.literal("sent"),
  tick: COUNT,
  command: z.object({
    dir: z.literal([-1, 0, 1]),
    flapHeld: z.literal([false, true, 0, 1]).transform(Boolean),
    flaps: COUNTER,
    fires: COUNTER,
  }),
});
const TICK = z.object({
  type: z.literal("tick"),
  tick: COUNT,
  /** Entity, kind, x, y, angle, vx, vy, spin. */
  bodies: z.array(z.tuple([COUNT, COUNT, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER, NUMBER])),
});
const END = z.object({
  type: z.literal("end"),
  ticks: COUNT,
  messages: COUNT,
  decodeErrors: COUNT,
  checksums: COUNT,
  checksumsDiffer: COUNT,
  bytesDown: COUNT,
  leadMs: NUMBER,
  roundTripMs: NUMBER,
});
const LINE = z.discriminatedUnion("type", [WELCOME, SENT, TICK, END]);

type LogLine = z.output<typeof LINE>;

/** A log line by line. */
class LogReader implements ClientLog {
  seat: SeatId | undefined;
  readonly sent = new Map<Tick, DragonCommand>();
  readonly ticks = new Map<Tick, ReadonlyMap<number, LoggedBody>>();
  end: LogEnd | undefined;
  #newest: Tick = -1;

  /** @throws LogError for a line that cannot follow those before it */
  take(line: LogLine): void {
    refuseIf(this.end !== undefined, "a line after the end");
    switch (line.type) {
      case "welcome":
        refuseIf(this.seat !== undefined, "a second welcome");
        this.seat = line.seat;
        break;
      case "sent":
        refuseIf(this.sent.has(line.tick), `a second command for tick ${line.tick}`);
        this.sent.set(
          line.tick,
          commandOf({
            ...line.command,
            flapHeld: Number(line.command.flapHeld),
          }),
        );
        break;
      case "tick":
        this.#takeTick(line);
        break;
      case "end":
        this.end = line;
    }
  }

  #takeTick({ tick, bodies }: z.output<typeof TICK>): void {
    refuseIf(tick <= this.#newest, `tick ${tick} after tick ${this.#newest}`);
    const byEntity = new Map(bodies.map(([entity, kind, x, y]) => [entity, { kind, x, y }]));
    refuseIf(byEntity.size < bodies.length, `tick ${tick} has an entity twice`);
    this.ticks.set(tick, byEntity);
    this.#newest = tick;
  }
}

/** Reads a log. An empty text is the log of a client that wrote nothing. @throws LogError */
export function parseClientLog(text: string): ClientLog {
  const reader = new LogReader();
  for (const [index, json] of text.split("\n").entries()) {
    if (json === "") continue; // behind the last line break
    try {
      reader.take(parseLine(json));
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
      throw new LogError(`line ${index + 1} of the log: ${error.message}`);
    }
  }
  return reader;
}

function parseLine(json: string): LogLine {
  const { success, data, error } = LINE.safeParse(jsonOf(json));
  if (success) return data;
  const { path, message } = error.issues[0]!;
  throw new LogError(`${path.join(".")}: ${message}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LogError(`${quoted(text)} is no JSON`);
  }
}

function refuseIf(wrong: boolean, fault: string): void {
  if (wrong) throw new LogError(fault);
}
