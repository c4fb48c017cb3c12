import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertGreater,
  assertLess,
  assertNotEquals,
} from "@std/assert";
import {
  HELD_ASIDE_NAMES,
  networkModelOf,
  PROFILE_NAMES,
  type ProfileName,
} from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import type { NetworkModel } from "../../../../shared/netcode/simulated_network/network_model.ts";
import type { Link } from "../../../../shared/netcode/link.ts";
import { SimulatedLink } from "../../../../shared/netcode/simulated_network/simulated_link.ts";

const SPACING_MS = 50;

interface Arrival {
  readonly number: number;
  readonly delayMs: number;
  readonly reliably: boolean;
}

/** A simulated link that records the arrivals at both ends. */
function openNetwork(model: NetworkModel, { seed = 1, ordered = true } = {}) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const arrived = { up: [] as Arrival[], down: [] as Arrival[] };
  const note = (arrivals: Arrival[], message: Uint8Array, reliably: boolean) => {
    const number = message[0]! + message[1]! * 256;
    arrivals.push({ number, delayMs: clock.nowMs - number * SPACING_MS, reliably });
  };
  let deliverDown: (message: Uint8Array, reliably: boolean) => void = () => {};
  const inner: Link = {
    ordered,
    send: (message) => note(arrived.up, message, ordered),
    sendReliably: (message) => note(arrived.up, message, true),
    onMessage: (handler) => deliverDown = handler,
    onClose: () => {},
    close: () => {},
    bufferedBytes: 0,
  };
  const link = new SimulatedLink(inner, { model, seed, clock });
  link.onMessage((message, reliably) => note(arrived.down, message, reliably));
  return { clock, arrived, link, sendDown: (message: Uint8Array) => deliverDown(message, ordered) };
}

/** Sends one message every 50 ms in each direction and delivers each when it is due. */
function sendMany(count: number, { clock, link, sendDown }: ReturnType<typeof openNetwork>): void {
  for (let i = 0; i < count || link.nextDueMs < Infinity;) {
    const sendAtMs = i < count ? i * SPACING_MS : Infinity;
    clock.nowMs = Math.min(sendAtMs, link.nextDueMs);
    link.advance(clock.nowMs);
    if (clock.nowMs !== sendAtMs) continue;
    const message = Uint8Array.of(i & 255, i++ >> 8);
    link.send(message);
    sendDown(message);
  }
}

function sent(
  count: number,
  model: NetworkModel,
  options: { seed?: number; ordered?: boolean } = {},
) {
  const network = openNetwork(model, options);
  sendMany(count, network);
  return network.arrived;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(share * values.length)]!;
}

/** The lengths of the runs of consecutive messages that were lost. */
function burstsOf(arrivals: readonly Arrival[], count: number): number[] {
  const came = new Set(arrivals.map(({ number }) => number));
  const bursts: number[] = [];
  for (let i = 0, length = 0; i <= count; i++) {
    if (i < count && !came.has(i)) length++;
    else if (length > 0) length = bursts.push(length) * 0;
  }
  return bursts;
}

const COUNT = 20_000;

Deno.test("SimulatedLink: a reliable link keeps all messages in order, and its jitter has the set mean [seed 1]", () => {
  for (const arrivals of Object.values(sent(COUNT, { oneWayMs: 80, jitterMs: 10 }))) {
    assertEquals(arrivals.map(({ number }) => number), Array.from({ length: COUNT }, (_, i) => i));
    assert(arrivals.every(({ reliably }) => reliably));
    const extra = arrivals.map(({ delayMs }) => delayMs - 80);
    assertGreater(Math.min(...extra), 0);
    assertAlmostEquals(mean(extra), 10, 0.5);
    assertAlmostEquals(deviation(extra), 10, 1);
    // A tail, not a box: the worst of twenty thousand is far out.
    assertGreater(Math.max(...extra), 60);
    assertLess(Math.max(...extra), 1000);
  }
});

Deno.test("SimulatedLink: the same seed gives the same delays and losses, another seed others", () => {
  for (const ordered of [true, false]) {
    for (const name of [...PROFILE_NAMES, ...HELD_ASIDE_NAMES]) {
      const run = (seed: number) =>
        sent(500, networkModelOf(name, { correlated: true }), { seed, ordered });
      assertEquals(run(3), run(3));
      assertNotEquals(run(3), run(4));
    }
  }
});

Deno.test("network profiles: delay, jitter, loss, bursts and duplicates of datagrams are as in the table [seed 5]", () => {
  type Steady = Exclude<ProfileName, "switching" | "bloat" | "reroute" | "dsl" | "satellite">;
  const table: Record<Steady, [number, number, number, number]> = {
    lan: [1, 1, 0.3, 0],
    cable: [20, 20, 5, 0],
    wifi: [30, 30, 5, 0.005],
    "4g": [50, 50, 20, 0.01],
    far: [100, 100, 5, 0.01],
    awful: [100, 100, 50, 0.01],
    asymmetric: [80, 20, 15, 0],
    train: [40, 40, 15, 0.008],
    hotel: [65, 65, 30, 0.02],
    overseas: [140, 140, 8, 0.003],
  };

  for (const [name, [upMs, downMs, jitterMs, loss]] of Object.entries(table)) {
    const arrived = sent(60_000, networkModelOf(name as ProfileName), { seed: 5, ordered: false });
    for (const [arrivals, shortestMs] of [[arrived.up, upMs], [arrived.down, downMs]] as const) {
      const delays = arrivals.map(({ delayMs }) => delayMs);
      assertGreater(Math.min(...delays), shortestMs, name);
      assertLess(Math.min(...delays), shortestMs + 0.2 * jitterMs + 0.1, name);
      // The median of a lognormal with mean = deviation. Pauses and detours are too rare to move
      // it.
      assertAlmostEquals(
        quantile(delays, 0.5),
        shortestMs + jitterMs * Math.SQRT1_2,
        0.06 * jitterMs + 0.02,
        name,
      );
      const bursts = burstsOf(arrivals, 60_000);
      const lost = bursts.reduce((sum, length) => sum + length, 0);
      assertAlmostEquals(lost / 60_000, loss, loss * 0.25, name);
      if (loss > 0) assertAlmostEquals(mean(bursts), 3, 0.6, name);
      const repeated = arrivals.length - (60_000 - lost);
      assertAlmostEquals(repeated / 60_000, 0.01, 0.002, name);
      let overtaken = 0;
      for (let i = 1; i < arrivals.length; i++) {
        if (arrivals[i]!.number < arrivals[i - 1]!.number) overtaken++;
      }
      assertGreater(overtaken / 60_000, 0.002, name);
    }
  }
});

Deno.test("network profiles: TCP repairs a loss after 1.25 round trips or a timeout; later messages wait [seed 6]", () => {
  const { up } = sent(60_000, { oneWayMs: 100, jitterMs: 0, loss: 0.01 }, { seed: 6 });
  assertEquals(up.map(({ number }) => number), Array.from({ length: 60_000 }, (_, i) => i));
  const extra = up.map(({ delayMs }) => delayMs - 100);
  const losses = extra.filter((ms, i) => ms > 0.01 && !(extra[i - 1]! > 0.01));
  assertAlmostEquals(losses.length / 60_000, 0.01, 0.0015);
  const timeouts = losses.filter((ms) => ms > 280);
  assertAlmostEquals(timeouts.length / losses.length, 0.1, 0.04);
  assertAlmostEquals(mean(timeouts), 300, 0.1);
  assertAlmostEquals(mean(losses.filter((ms) => ms <= 280)), 250, 5);
  // After a stall of 250 ms five more messages arrive late, each 50 ms less than the one before.
  const first = extra.findIndex((ms) => ms > 0.01 && ms <= 280);
  assertAlmostEquals(extra[first + 1]!, extra[first]! - SPACING_MS, 0.01);
});

Deno.test("network profiles: pauses, regimes, bloat and reroute have their times and sizes [seed 7]", () => {
  const wifi = sent(COUNT, { ...networkModelOf("wifi"), loss: 0 }, { seed: 7 }).up.map((
    { delayMs },
  ) => delayMs - 30);

  // Pauses of 20 to 80 ms every 1.3 s: 1.9 % of messages wait more than 25 ms for one; 0.5 % have
  // enough jitter alone.
  assertAlmostEquals(wifi.filter((ms) => ms > 30).length / COUNT, 0.024, 0.005);
  assertGreater(Math.max(...wifi), 60);
  const within = (arrived: { up: Arrival[] }, fromS: number, toS: number) =>
    arrived.up.filter(({ number }) =>
      number * SPACING_MS >= fromS * 1000 && number * SPACING_MS < toS * 1000
    )
      .map(({ delayMs }) => delayMs);
  const switching = sent(COUNT, networkModelOf("switching"), { seed: 7, ordered: false });
  assertAlmostEquals(quantile(within(switching, 0, 20), 0.5) - 50, 0.3 * 20 * Math.SQRT1_2, 1);
  assertAlmostEquals(quantile(within(switching, 60, 80), 0.5) - 50, 2 * 20 * Math.SQRT1_2, 6);
  const bloat = sent(COUNT, networkModelOf("bloat"), { seed: 7, ordered: false });
  assertAlmostEquals(mean(within(bloat, 0, 15)), 25, 2);
  assertAlmostEquals(mean(within(bloat, 19, 20)), 25 + 135, 4);
  assertAlmostEquals(mean(within(bloat, 20, 30)), 25, 2);
  const reroute = sent(2400, networkModelOf("reroute", { runMs: 120_000 }), {
    seed: 7,
    ordered: false,
  });
  assertAlmostEquals(mean(within(reroute, 0, 60)), 35, 1);
  assertAlmostEquals(mean(within(reroute, 60, 120)), 65, 1);
});

Deno.test("SimulatedLink: correlated jitter keeps its mean and deviation, and consecutive delays are similar [seed 8]", () => {
  const correlationOf = (correlated: boolean) => {
    const arrived = sent(60_000, { oneWayMs: 50, jitterMs: 10, correlated }, {
      seed: 8,
      ordered: false,
    });
    const jitter = arrived.up.filter(({ delayMs }) => delayMs < 150).map(({ delayMs }) =>
      delayMs - 50
    );
    assertAlmostEquals(mean(jitter), 10, 1.5);
    const middle = mean(jitter);
    const variance = deviation(jitter) ** 2;
    return mean(jitter.slice(1).map((ms, i) => (ms - middle) * (jitter[i]! - middle))) / variance;
  };
  assertGreater(correlationOf(true), 0.6);
  assertAlmostEquals(correlationOf(false), 0, 0.02);
});

Deno.test("SimulatedLink: beside datagrams the reliable channel delivers all messages once and in order [seed 9]", () => {
  const network = openNetwork({ oneWayMs: 50, jitterMs: 20, loss: 0.3 }, {
    seed: 9,
    ordered: false,
  });
  for (let i = 0; i < 2000; i++) {
    network.clock.nowMs = i * SPACING_MS;
    network.link.advance(network.clock.nowMs);
    network.link.sendReliably(Uint8Array.of(i & 255, i >> 8));
    network.link.send(Uint8Array.of(i & 255, i >> 8));
  }

  network.clock.nowMs = 1e6;
  network.link.advance(network.clock.nowMs);
  const reliable = network.arrived.up.filter(({ reliably }) => reliably).map(({ number }) =>
    number
  );
  assertEquals(reliable, Array.from({ length: 2000 }, (_, i) => i));
  assertAlmostEquals(
    network.arrived.up.filter(({ reliably }) => !reliably).length / 2000,
    0.7,
    0.1,
  );
});
