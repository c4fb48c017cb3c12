/** How long a decoder takes at most, over the worst messages that the protocol allows. */
import { deflateRawSync } from "node:zlib";
import { WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import {
  ClientMessageDecoder,
  decodeHello,
} from "../../../../shared/netcode/wire/client_messages.ts";
import { codec, TickEncoder, TICKS } from "../../../shared/netcode/wire/messages.ts";
import { type Worst, worstMessages } from "../../../shared/netcode/wire/worst_messages.ts";

/**
 * By then the compiler is done. The fastest round counts, because other load on the machine can
 * only add time.
 */
const ROUNDS = 60;

/** @returns the slowest of the worst messages, and its time in ms */
export function measureWorst(): { readonly message: string; readonly ms: number } {
  const timed = worstMessages((bytes) => deflateRawSync(bytes)).map((worst) => ({
    message: worst.name,
    ms: msOf(worst),
  }));
  return timed.reduce((slowest, each) => each.ms > slowest.ms ? each : slowest);
}

function msOf({ bytes, to }: Worst): number {
  const first = new TickEncoder().encode(TICKS[0]!);
  let fastestMs = Infinity;

  for (let round = 0; round < ROUNDS; round++) {
    const down = new ServerMessageDecoder(codec);
    down.decode(first);
    const decode = {
      client: () => void down.decode(bytes),
      server: () => void new ClientMessageDecoder(codec, { ordered: true }).decode(bytes),
      serverDatagram: () => void new ClientMessageDecoder(codec, { ordered: false }).decode(bytes),
      hello: () => void decodeHello(bytes),
    }[to];
    const startMs = performance.now();
    try {
      decode();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
    }
    fastestMs = Math.min(fastestMs, performance.now() - startMs);
  }

  return Number(fastestMs.toFixed(2));
}
