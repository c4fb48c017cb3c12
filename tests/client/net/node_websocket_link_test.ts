import { setImmediate } from "node:timers";
import { assertEquals, assertLess } from "@std/assert";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import { openEchoServer } from "../../support/echo_server.ts";

const ROUNDS = 60;
/**
 * So often a message of the witness goes to and fro while the link's is under way: some ms, where Nagle's algorithm takes forty. Deno
 * looks for what else has come only at every 61st thing that it does.
 */
const ROUND_TRIPS = 200;

/** A connection beside the link that has never anything unconfirmed: it tells how long a message may take, without a clock. */
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
      // What a socket has at once it gives without letting the others be heard.
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

Deno.test("openNodeWebSocketLink: a message leaves at once, also while the one before it is unconfirmed", async () => {
  const far = Promise.withResolvers<Link>();
  await using front = await openEchoServer({ admit: far.resolve });
  await using witness = await openWitness();
  const near = openNodeWebSocketLink(`${front.url.replace("http", "ws")}socket`);
  const closed = new Promise<void>((resolve) => near.onClose(() => resolve()));
  const [nearArrivals, farArrivals] = [arrivalsAt(near), arrivalsAt(await far.promise)];
  let delayed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // Who both hears and says something confirms what he hears with what he says, or late.
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
