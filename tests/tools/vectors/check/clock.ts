/** A client's clock (WIRE 11): pings, pongs and advice, with the head and lead that follow. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { TickClock } from "../../../../client/session/tick_clock.ts";
import { dequantizeLead } from "../../../../shared/netcode/wire/messages.ts";

/** An event at a time of the client's clock, in ms. */
export type ClockEvent = { readonly at: number } & ClockEventKind;

export type ClockEventKind =
  | { readonly ping: number }
  /**
   * The server's clock when it sent the pong, and how long the ping waited, in 1/1024 of a tick.
   */
  | { readonly pong: { readonly id: number; readonly clock: number; readonly held: number } }
  /** The first lead in ms and the head in ticks, after the start. */
  | { readonly start: { readonly firstLead: number; readonly head: number } }
  /** An advised lead arrives, in quarters of a ms; 0 is none. */
  | { readonly advice: number }
  /** The head in ticks and the lead in ms, after an advance. */
  | { readonly advance: { readonly head: number; readonly lead: number } };

export interface TimedCase {
  readonly about: string;
  readonly tickHz: number;
  readonly events: readonly ClockEvent[];
}

const TOLERANCE = 0.001;

export function checkClock({ tickHz, events }: TimedCase): void {
  let sent: number | undefined;
  const clock = new TickClock(tickHz, (id) => sent = id);
  const { timeDilation } = clock;

  for (const event of events) {
    const { at } = event;
    if ("ping" in event) {
      sent = undefined;
      clock.ping(at);
      assertEquals(sent ?? clock.piggybackPing(at), event.ping, `at ${at}`);
    } else if ("pong" in event) {
      const { id, clock: serverClock, held } = event.pong;
      clock.pong(at, { id, serverTicks: serverClock / 1024, waitedTicks: held / 1024 });
    } else if ("start" in event) {
      assert(clock.begin(at, { isSpectator: false }), `no start at ${at}`);
      assertAlmostEquals(timeDilation.advisedMs, event.start.firstLead, TOLERANCE, `at ${at}`);
      assertAlmostEquals(timeDilation.headTicks, event.start.head, TOLERANCE, `at ${at}`);
    } else if ("advice" in event) {
      if (event.advice > 0) clock.advise(at, dequantizeLead(event.advice));
    } else {
      timeDilation.advance(at);
      assertAlmostEquals(timeDilation.headTicks, event.advance.head, TOLERANCE, `at ${at}`);
      assertAlmostEquals(timeDilation.leadMs, event.advance.lead, TOLERANCE, `at ${at}`);
    }
  }
}
