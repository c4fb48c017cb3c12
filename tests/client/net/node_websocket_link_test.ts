import { setImmediate } from "node:timers";
import { assertEquals, assertLess } from "@std/assert";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import { openEchoServer } from "../../support/echo_server.ts";

const ROUNDS = 60;
/**
 * Round trips of the witness while a message of the link is under way: a few ms, where Nagle's
 * algorithm takes 40 ms. Deno polls for other events only after every 61st operation, so there must
 * be many.
 */
const ROUND_TRIPS = 200;

/** A second connection, without Nagle's algorithm. Its round trips measure time without a clock. */
async function openWitness(): Promise<AsyncDisposable & { roundTrip(): Promise<void> }> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const [near, far] = await Promise.all([
    Deno.connect({ hostname: "127.0.0.1", port: (listener.addr as Deno.NetAddr).port }),
    listener.accept(),
  ]);
  for (const end of [near, far]) end.setNoDelay(true);
  const byte = new Uint8Array(1);
  return {
    async roundTrip() {
      // A read that completes at once would leave other sockets no turn.
      await new Promise<void>((resolve) => setImmediate(resolve));
      for (const [from, to] of [[near, far], [far, near]] as const) {
        await from.write(byte);
        await to.read(byte);
      }
    },
    [Symbol.asyncDispose]() {
      for (const end of [near, far, listener]) end.close();
      return Promise.resolve();
    },
  };
}

Deno.test("openNodeWebSocketLink: a message leaves at once, even while an earlier one is unacknowledged", async () => {
  const far = Promise.withResolvers<Link>();
  await using front = await openEchoServer({ admit: far.resolve });
  await using witness = await openWitness();
  const near = openNodeWebSocketLink(`${front.url.replace("http", "ws")}socket`);
  const closed = new Promise<void>((resolve) => near.onClose(() => resolve()));
  const [nearArrivals, farArrivals] = [arrivalsAt(near), arrivalsAt(await far.promise)];
  let delayed = 0;

  for (let round = 0; round < ROUNDS; round++) {
    // TCP delays the acknowledgements of an end that also sends. So the far end sends, too.
    (await far.promise).send(Uint8Array.of(round));
    await nearArrivals.next();
    near.send(Uint8Array.of(round));
    await farArrivals.next();
    near.send(Uint8Array.of(round));
    const arrival = farArrivals.next();
    for (let i = 0; i < ROUND_TRIPS; i++) await witness.roundTrip();
    if (farArrivals.count < 2 * (round + 1)) delayed++;
    await arrival;
  }

  assertEquals(farArrivals.count, 2 * ROUNDS);
  assertLess(delayed, ROUNDS / 4);
  near.close(1000, "left");
  await closed;
});

function arrivalsAt(link: Link): { readonly count: number; next(): Promise<void> } {
  let onArrival = () => {};
  const arrivals = { count: 0, next: () => new Promise<void>((resolve) => onArrival = resolve) };
  link.onMessage(() => {
    arrivals.count++;
    onArrival();
  });
  return arrivals;
}
