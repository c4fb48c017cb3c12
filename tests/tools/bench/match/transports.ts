/**
 * `bench match --transport both`: the server's CPU time of a match-tick by WebSocket and by
 * WebTransport, with the same players in turns, so that a machine that slows down favours none.
 */
import { medianOf } from "../median.ts";
import type { Transport } from "../transport/plan.ts";
import { type Crowd, measureServer, msPerTickOf, PLAYERS } from "./real_server.ts";

const TURNS: readonly Transport[] = ["websocket", "webtransport", "webtransport", "websocket"];

export interface TransportCosts {
  readonly sessions: number;
  /** Medians over all windows. */
  readonly msPerTick: Readonly<Record<Transport, number>> & { readonly added: number };
  readonly range: Readonly<Record<Transport, readonly [number, number]>>;
  readonly bytesPerTick: Readonly<Record<Transport, number>>;
  readonly desyncs: number;
}

/** @param options.seconds of each transport, in two turns */
export async function measureTransports(
  { rooms, seconds }: Pick<Crowd, "rooms" | "seconds">,
): Promise<TransportCosts> {
  const costs: Record<Transport, number[]> = { websocket: [], webtransport: [] };
  const bytes: Record<Transport, number[]> = { websocket: [], webtransport: [] };
  let desyncs = 0;

  for (const transport of TURNS) {
    const measured = await measureServer({ rooms, seconds: seconds / 2, transport });
    const { loads } = measured;
    costs[transport].push(...msPerTickOf(measured));
    bytes[transport].push(...loads.map(({ bytesPerTick }) => bytesPerTick));
    desyncs += loads.reduce((sum, load) => sum + load.desyncs, 0);
  }

  const rounded = (ms: number) => Number(ms.toFixed(4));
  const [websocket, webtransport] = [medianOf(costs.websocket), medianOf(costs.webtransport)];
  const rangeOf = (numbers: readonly number[]) =>
    [rounded(Math.min(...numbers)), rounded(Math.max(...numbers))] as const;
  return {
    sessions: rooms * PLAYERS,
    msPerTick: {
      websocket: rounded(websocket),
      webtransport: rounded(webtransport),
      added: rounded(webtransport - websocket),
    },
    range: { websocket: rangeOf(costs.websocket), webtransport: rangeOf(costs.webtransport) },
    bytesPerTick: {
      websocket: Math.round(medianOf(bytes.websocket)),
      webtransport: Math.round(medianOf(bytes.webtransport)),
    },
    desyncs,
  };
}
