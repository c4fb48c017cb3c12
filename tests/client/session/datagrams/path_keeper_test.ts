import { assert, assertEquals } from "@std/assert";
import { PathKeeper } from "../../../../client/session/datagrams/path_keeper.ts";
import type { ClientPath } from "../../../../shared/netcode/link.ts";

const OFFER = { port: 1, token: "0".repeat(32) };

/**
 * A keeper with a path that does what the test says, and what it has done: "open", "ping", "use",
 * "end 1006", "back".
 */
class Rig {
  readonly done: string[] = [];
  isOpen = false;
  ended: ReturnType<ClientPath["ended"]>;
  doubt = "";
  announced = 0;
  readonly keeper: PathKeeper;

  constructor() {
    const { done } = this;
    this.keeper = new PathKeeper({
      open: () => void done.push("open"),
      isOpen: () => this.isOpen,
      ended: () => this.ended,
      doubt: () => this.doubt,
      send: () => {},
      use: () => void done.push("use"),
      end: (code) => void done.push(`end ${code}`),
    }, {
      sendPing: () => void done.push("ping"),
      onUse: () => {},
      sendBack: () => void done.push("back"),
    });
  }

  offer(nowMs: number, roundTripMs = 50): void {
    this.keeper.onOffer(OFFER, { nowMs, roundTripMs });
  }

  /** Advances every 10 ms, also while nothing is due. */
  run(fromMs: number, toMs: number, each: (ms: number) => void = () => {}): void {
    for (let ms = fromMs; ms <= toMs; ms += 10) {
      each(ms);
      this.keeper.advance(ms, this.announced);
    }
  }

  take(): string[] {
    return this.done.splice(0);
  }
}

/** A rig whose path is in use at 1,000 ms. */
function inUse(): Rig {
  const rig = new Rig();
  rig.offer(900);
  rig.isOpen = true;
  rig.run(900, 990);
  rig.keeper.onDatagram(1000, true);
  assertEquals([rig.take().filter((what) => what !== "ping"), rig.keeper.report.transport], [
    ["open", "use"],
    "webtransport",
  ]);
  return rig;
}

Deno.test("PathKeeper: goes over with the first pong by datagram, and not with any other datagram (SPEC 16.12)", () => {
  const rig = new Rig();
  rig.keeper.advance(0, 0);
  rig.offer(100);
  rig.run(100, 300);
  assertEquals(rig.take(), ["open"]);
  rig.isOpen = true;
  rig.run(310, 500, () => rig.keeper.onDatagram(0, false));
  assertEquals(rig.take(), ["ping", "ping"]);
  rig.keeper.onDatagram(510, true);
  assertEquals(rig.take(), ["use"]);
});

Deno.test("PathKeeper: gives up after 500 ms and four round trips, at most 2 s, and takes no offer for a minute (SPEC 16.12)", () => {
  for (const [roundTripMs, untilMs] of [[50, 700], [5000, 2000]] as const) {
    const rig = new Rig();
    rig.offer(0, roundTripMs);
    rig.run(0, untilMs - 10);
    assertEquals(rig.take(), ["open"]);
    rig.run(untilMs, untilMs);
    assertEquals([rig.take(), rig.keeper.report.why], [
      ["end 1006"],
      "no datagrams: nothing answers by UDP",
    ]);
    rig.offer(untilMs + 59_000);
    assertEquals(rig.take(), []);
    rig.offer(untilMs + 60_000);
    assertEquals(rig.take(), ["open"]);
  }
});

Deno.test("PathKeeper: an open session that answers no ping is given up, too (SPEC 16.12)", () => {
  const rig = new Rig();
  rig.offer(0);
  rig.isOpen = true;
  rig.run(0, 690);
  assertEquals(new Set(rig.take()), new Set(["open", "ping"]));
  rig.run(700, 710);
  assertEquals(rig.take(), ["end 1006"]);
});

Deno.test("PathKeeper: goes back after 1.5 s without a datagram, or 1.8 s in which the server hears nothing (SPEC 16.13)", () => {
  const silent = inUse();
  silent.run(1000, 2490);
  assertEquals(silent.take(), []);
  silent.run(2500, 2500);
  assertEquals([silent.take(), silent.keeper.report.returns], [["end 1006", "back"], 1]);

  const unheard = inUse();
  unheard.run(1000, 2790, (ms) => unheard.keeper.onDatagram(ms, false));
  assertEquals(unheard.take(), []);
  unheard.run(2800, 2800, (ms) => unheard.keeper.onDatagram(ms, false));
  assertEquals([unheard.take(), unheard.keeper.report.why], [
    ["end 1006", "back"],
    "datagrams ended: the server heard no datagram",
  ]);
});

Deno.test("PathKeeper: an announced command shows that the server hears, as a pong does (SPEC 16.13)", () => {
  const rig = inUse();
  rig.run(1000, 9000, (ms) => {
    rig.keeper.onDatagram(ms, false);
    if (ms % 1000 === 0) rig.announced++;
  });
  assertEquals(rig.take(), []);
});

Deno.test("PathKeeper: a page that has slept listens anew (SPEC 16.13)", () => {
  const rig = inUse();
  rig.run(1000, 2000);
  rig.run(9000, 10_490);
  assertEquals(rig.take(), []);
  rig.run(10_500, 10_500);
  assertEquals(rig.take(), ["end 1006", "back"]);
});

Deno.test("PathKeeper: goes back at once when the session ends, and takes the next offer if the server has taken it back (SPEC 16.13, 16.14)", () => {
  for (const [code, isTaken] of [[1006, false], [1000, true]] as const) {
    const rig = inUse();
    rig.ended = { code, reason: "over" };
    rig.run(1010, 1010);
    assertEquals(rig.take(), [`end ${code}`, "back"]);
    rig.offer(1020);
    assertEquals(rig.take().length > 0, isTaken);
    assert(rig.keeper.report.why.includes(isTaken ? "opening" : "over"));
  }
});

Deno.test("PathKeeper: a path that does not open in time says what is known against it (SPEC 16.25)", () => {
  for (
    const [doubt, why] of [["", "nothing answers by UDP"], [
      "the clock is wrong",
      "the clock is wrong",
    ]] as const
  ) {
    const rig = new Rig();
    rig.doubt = doubt;
    rig.offer(0);
    rig.run(0, 800);
    assertEquals(rig.keeper.report.why, `no datagrams: ${why}`);
  }
});
