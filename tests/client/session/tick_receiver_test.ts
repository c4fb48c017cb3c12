import { assertEquals } from "@std/assert";
import { DatagramTickReceiver, ReliableTickReceiver } from "../../../client/session/tick_receiver.ts";
import type { TickMessage } from "../../../shared/netcode/wire/messages.ts";

const STATE = { seats: [], snapshot: new Uint8Array(0) };

function tickOf(tick: number, rest: Partial<TickMessage<number>> = {}): TickMessage<number> {
  const bare = { type: "tick", tick, hash: 0, slackMs: 0, advisedLeadMs: 0 } as const;
  return { ...bare, presence: [], announcements: [], state: undefined, ...rest };
}

/** A client that takes what is there, and finds itself out of step when a test says so. */
class Taker {
  readonly receiver = new DatagramTickReceiver<number>();
  readonly taken: string[] = [];
  received = -1;
  isDesynced = true;

  ticks(first: number, last: number, advisedLeadMs = 0): void {
    const ticks = Array.from({ length: last - first + 1 }, (_, i) => tickOf(first + i, { advisedLeadMs }));
    this.receiver.put({ type: "ticks", ticks });
  }

  state(tick: number): void {
    this.receiver.put(tickOf(tick, { state: STATE }));
  }

  /** @returns what could be taken */
  take(): string {
    const taken: string[] = [];
    for (let next = this.receiver.next(this); next !== undefined; next = this.receiver.next(this)) {
      taken.push(next.state === undefined ? `${next.tick}` : `S${next.tick}`);
      this.received = next.tick;
      if (next.state !== undefined) this.isDesynced = false;
    }
    return taken.join(" ");
  }
}

Deno.test("DatagramTickReceiver: each tick once and in order, however often and in whatever order they come (SPEC 2.4)", () => {
  const taker = new Taker();
  taker.state(10);
  assertEquals(taker.take(), "S10");
  taker.ticks(13, 14);
  assertEquals(taker.take(), "");
  taker.ticks(11, 12);
  taker.ticks(11, 12);
  assertEquals(taker.take(), "11 12 13 14");
  taker.ticks(9, 13);
  taker.ticks(12, 15);
  assertEquals(taker.take(), "15");
});

Deno.test("DatagramTickReceiver: ticks that have overtaken their state wait for it (SPEC 4.7)", () => {
  const taker = new Taker();
  taker.ticks(8, 9);
  taker.ticks(8, 11);
  assertEquals(taker.take(), "");
  taker.state(7);
  assertEquals(taker.take(), "S7 8 9 10 11");
});

Deno.test("DatagramTickReceiver: out of step nothing but a state is taken, and no old one (SPEC 4.2, 4.7)", () => {
  const taker = new Taker();
  taker.state(7);
  taker.ticks(8, 10);
  assertEquals(taker.take(), "S7 8 9 10");
  taker.isDesynced = true;
  taker.ticks(11, 12);
  taker.state(9);
  assertEquals(taker.take(), "");
  taker.ticks(11, 15);
  taker.state(13);
  assertEquals(taker.take(), "S13 14 15");
});

Deno.test("DatagramTickReceiver: a state that the ticks have overtaken is not taken, nor is it later (SPEC 2.5)", () => {
  const taker = new Taker();
  taker.state(7);
  assertEquals(taker.take(), "S7");
  taker.ticks(8, 12);
  taker.state(10);
  assertEquals(taker.take(), "8 9 10 11 12");
  taker.isDesynced = true;
  assertEquals(taker.take(), "");
  // Where ticks are missing, the newest state counts.
  taker.isDesynced = false;
  taker.state(40);
  taker.state(45);
  taker.ticks(46, 47);
  assertEquals(taker.take(), "S45 46 47");
});

Deno.test("DatagramTickReceiver: overtaken advice is old advice, and none is given twice", () => {
  const taker = new Taker();
  taker.ticks(5, 6, 90);
  taker.ticks(4, 5, 80);
  assertEquals([taker.receiver.consumeAdvice(), taker.receiver.consumeAdvice()], [90, 0]);
});

Deno.test("ReliableTickReceiver: of a heap of ticks only the newest state and what follows it is taken (SPEC 4.5)", () => {
  const receiver = new ReliableTickReceiver<number>(), state = STATE;
  for (const tick of [1, 2]) receiver.put(tickOf(tick, { advisedLeadMs: 80 }));
  for (const tick of [3, 4]) receiver.put(tickOf(tick, { state, advisedLeadMs: 90 }));
  receiver.put(tickOf(5, { advisedLeadMs: 100 }));
  const taken: number[] = [];
  for (let next = receiver.next(); next !== undefined; next = receiver.next()) taken.push(next.tick);
  assertEquals([taken, receiver.consumeAdvice()], [[4, 5], 100]);
});
