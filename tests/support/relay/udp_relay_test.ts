/** The relay really does to packets what its line says. Counts depend on the seed alone. */
import { assert, assertEquals, assertGreater, assertGreaterOrEqual, assertLess } from "@std/assert";
import { UdpRelay, type UdpRelayOptions } from "./udp_relay.ts";
import { UdpSocket } from "./udp_socket.ts";

/** Packets that may be under way at once: the kernel drops what a busy process leaves for long. */
const WINDOW = 64;

/** A socket whose packets can be awaited. */
class Peer implements Disposable {
  /** The numbers that came, in the order of arrival, when they came, and from which port. */
  readonly numbers: number[] = [];
  readonly atMs: number[] = [];
  readonly ports: number[] = [];
  readonly #socket: UdpSocket;
  #wake = () => {};

  /** @param echoes whether it sends back what it gets */
  constructor({ echoes = false } = {}) {
    this.#socket = new UdpSocket({}, (packet, from) => {
      this.numbers.push(new DataView(packet.buffer, packet.byteOffset).getUint32(0));
      this.atMs.push(performance.now());
      this.ports.push(from.port);
      if (echoes) this.#socket.send(packet, from);
      this.#wake();
    });
  }

  get port(): number {
    return this.#socket.port;
  }

  /** Sends a packet with a number. */
  send(number: number, port: number, length = 4): void {
    const packet = new Uint8Array(length);
    new DataView(packet.buffer).setUint32(0, number);
    this.#socket.send(packet, { hostname: "127.0.0.1", port });
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#wake = resolve);
  }

  [Symbol.dispose](): void {
    this.#socket[Symbol.dispose]();
  }
}

/** Sends numbered packets through a relay to a server that never answers. */
async function play(count: number, line: UdpRelayOptions["line"]) {
  using server = new Peer();
  using client = new Peer();
  using relay = new UdpRelay({ target: server.port, line });
  const { up } = relay.counts;
  const sentMs: number[] = [];
  for (let n = 0; n < count; n++) {
    sentMs.push(performance.now());
    client.send(n, relay.port);
    const underWay = () => n + 1 - up.lost + up.duplicated - server.numbers.length;
    while (underWay() >= WINDOW) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  while (up.packets < count) await new Promise((resolve) => setTimeout(resolve, 1));
  await server.until(() => server.numbers.length === count - up.lost + up.duplicated);
  return { counts: { ...up }, numbers: server.numbers, atMs: server.atMs, sentMs };
}

Deno.test("UdpRelay: a line loses in bursts of three and duplicates, as its seed says [seeds 5, 6]", async () => {
  const model = { oneWayMs: 5, jitterMs: 0, loss: 0.03 };
  const count = 4_000;
  const { counts, numbers } = await play(count, { model, seed: 5 });
  assertEquals((await play(count, { model, seed: 5 })).counts, counts);
  assert((await play(count, { model, seed: 6 })).counts.lost !== counts.lost);
  assertEquals([counts.packets, counts.passed], [count, count - counts.lost + counts.duplicated]);
  assertEquals(new Set(numbers).size, count - counts.lost);
  // The shares of the model, give or take what 40 bursts vary.
  assertGreater(counts.lost, 0.015 * count);
  assertLess(counts.lost, 0.05 * count);
  const burst = counts.lost / counts.bursts;
  assert(burst > 2 && burst < 4.5, `${burst} in a burst`);
  assertGreater(counts.duplicated, 0.005 * count);
  assertLess(counts.duplicated, 0.02 * count);
});

Deno.test("UdpRelay: packets take the delay of the line, and jitter lets them overtake [seed 7]", async () => {
  const model = { oneWayMs: 40, jitterMs: 10 };
  const { counts, numbers, atMs, sentMs } = await play(500, { model, seed: 7 });
  const delays = numbers.map((number, i) => atMs[i]! - sentMs[number]!);
  // A timer may be half a millisecond early.
  assertGreaterOrEqual(Math.min(...delays), model.oneWayMs - 0.5);
  assertGreater(counts.overtaken, 50);
  assert(numbers.some((number, i) => i > 0 && number < numbers[i - 1]!));
});

Deno.test("UdpRelay: it drops what is too long, and everything while it is dark", async () => {
  using server = new Peer();
  using client = new Peer();
  using relay = new UdpRelay({
    target: server.port,
    state: { payloadBytesMax: 1_200, isDark: true },
  });
  const { up } = relay.counts;
  const take = async (...packets: [number: number, length: number][]) => {
    const before = up.packets;
    for (const [number, length] of packets) client.send(number, relay.port, length);
    while (up.packets < before + packets.length) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  await take([1, 4]);
  relay.state.isDark = false;
  await take([2, 1_200], [3, 1_201], [4, 4]);
  relay.state.payloadBytesMax = 1_000;
  await take([5, 1_001], [6, 1_000]);
  relay.state.isDark = true;
  await take([7, 4]);
  await server.until(() => server.numbers.length === 3);
  assertEquals([server.numbers, up.dark, up.tooLong], [[2, 4, 6], 2, 2]);
});

Deno.test("UdpRelay: each client has a port of its own, answers find it, and all change their ports at once", async () => {
  using server = new Peer({ echoes: true });
  using relay = new UdpRelay({ target: server.port });
  using one = new Peer();
  using other = new Peer();
  const ask = async (client: Peer, number: number) => {
    client.send(number, relay.port);
    await client.until(() => client.numbers.at(-1) === number);
  };
  await ask(one, 1);
  await ask(other, 2);
  await ask(one, 3);
  relay.changePorts();
  await ask(one, 4);
  await ask(other, 5);
  const [first, second, third, fourth, fifth] = server.ports;
  assertEquals(first, third);
  assertEquals(new Set([first, second, fourth, fifth]).size, 4);
  assertEquals([one.numbers, other.numbers], [[1, 3, 4], [2, 5]]);
});
