import { assertEquals } from "@std/assert";
import { TickReceiver } from "../../../client/session/tick_receiver.ts";
import type { TickMessage } from "../../../shared/netcode/wire/messages.ts";

const STATE = { seats: [], snapshot: new Uint8Array(0) };

function tickOf(tick: number, rest: Partial<TickMessage<number>> = {}): TickMessage<number> {
  const bare = { type: "tick", tick, hash: 0, slackMs: 0, advisedLeadMs: 0 } as const;
  return { ...bare, presence: [], announcements: [], state: undefined, ...rest };
}

/** A client that processes every tick that its receiver offers. The test makes it desynced. */
class TestClient {
  readonly receiver = new TickReceiver<number>();
  readonly taken: string[] = [];
  received = -1;
  isDesynced = true;

  ticks(first: number, last: number, advisedLeadMs = 0): void {
    const ticks = Array.from(
      { length: last - first + 1 },
      (_, i) => tickOf(first + i, { advisedLeadMs }),
    );
    this.receiver.put({ type: "ticks", ticks });
  }

  state(tick: number): void {
    this.receiver.put(tickOf(tick, { state: STATE }));
  }

  /** Processes everything available. @returns the ticks, with an "S" before a state */
  drain(): string {
    const taken: string[] = [];
    for (let next = this.receiver.next(this); next !== undefined; next = this.receiver.next(this)) {
      taken.push(next.state === undefined ? `${next.tick}` : `S${next.tick}`);
      this.received = next.tick;
      if (next.state !== undefined) this.isDesynced = false;
    }
    return taken.join(" ");
  }
}

Deno.test("TickReceiver: yields each tick once and in order, whatever the order of arrival (SPEC 2.11)", () => {
  const client = new TestClient();
  client.state(10);
  assertEquals(client.drain(), "S10");
  client.ticks(13, 14);
  assertEquals(client.drain(), "");
  client.ticks(11, 12);
  client.ticks(11, 12);
  assertEquals(client.drain(), "11 12 13 14");
  client.ticks(9, 13);
  client.ticks(12, 15);
  assertEquals(client.drain(), "15");
});

Deno.test("TickReceiver: ticks that overtake their state wait for it (SPEC 4.14)", () => {
  const client = new TestClient();
  client.ticks(8, 9);
  client.ticks(8, 11);
  assertEquals(client.drain(), "");
  client.state(7);
  assertEquals(client.drain(), "S7 8 9 10 11");
});

Deno.test("TickReceiver: a desynced client gets nothing but a state, and no old one (SPEC 4.7, 4.9)", () => {
  const client = new TestClient();
  client.state(7);
  client.ticks(8, 10);
  assertEquals(client.drain(), "S7 8 9 10");
  client.isDesynced = true;
  client.ticks(11, 12);
  client.state(9);
  assertEquals(client.drain(), "");
  client.ticks(11, 15);
  client.state(13);
  assertEquals(client.drain(), "S13 14 15");
});

Deno.test("TickReceiver: a state that is older than the processed ticks is never used (SPEC 2.12)", () => {
  const client = new TestClient();
  client.state(7);
  assertEquals(client.drain(), "S7");
  client.ticks(8, 12);
  client.state(10);
  assertEquals(client.drain(), "8 9 10 11 12");
  client.isDesynced = true;
  assertEquals(client.drain(), "");
  // If ticks are missing, the newest state counts.
  client.isDesynced = false;
  client.state(40);
  client.state(45);
  client.ticks(46, 47);
  assertEquals(client.drain(), "S45 46 47");
});

Deno.test("TickReceiver: ignores advice that was overtaken, and returns none twice", () => {
  const client = new TestClient();
  client.ticks(5, 6, 90);
  client.ticks(4, 5, 80);
  assertEquals([client.receiver.consumeAdvice(), client.receiver.consumeAdvice()], [90, 0]);
});

Deno.test("TickReceiver: after a pause only the newest state and later ticks are left (SPEC 4.13)", () => {
  const client = new TestClient();
  const { receiver } = client;
  for (const tick of [1, 2]) receiver.put(tickOf(tick, { advisedLeadMs: 80 }));
  for (const tick of [3, 4]) receiver.put(tickOf(tick, { state: STATE, advisedLeadMs: 90 }));
  receiver.put(tickOf(5, { advisedLeadMs: 100 }));
  assertEquals([client.drain(), receiver.consumeAdvice()], ["S4 5", 100]);
});

Deno.test("TickReceiver: ticks of a socket and of datagrams are one row, whichever comes first (SPEC 16.12)", () => {
  const client = new TestClient();
  const reliably = (...ticks: number[]) => ticks.forEach((n) => client.receiver.put(tickOf(n)));
  client.state(7);
  reliably(8, 9);
  client.ticks(9, 11);
  assertEquals(client.drain(), "S7 8 9 10 11");
  reliably(10, 11, 12);
  client.ticks(13, 14);
  assertEquals(client.drain(), "12 13 14");
  // Back on the socket.
  client.ticks(15, 18);
  reliably(19, 20);
  assertEquals(client.drain(), "15 16 17 18 19 20");
});

Deno.test("TickReceiver: a desynced client goes on with the ticks of a socket (SPEC 4.9)", () => {
  const client = new TestClient();
  client.state(7);
  client.drain();
  client.isDesynced = true;
  client.receiver.put(tickOf(8));
  client.state(9);
  client.receiver.put(tickOf(10));
  assertEquals(client.drain(), "S9 10");
});
