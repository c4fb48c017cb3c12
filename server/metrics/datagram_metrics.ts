/**
 * The UDP port's metrics. A server without that port reports zeros, so that dashboards find the
 * names.
 */
import { type DatagramCounts, HANDSHAKE_OUTCOMES } from "./datagram_counts.ts";
import { type Family, gauge } from "./metric_text.ts";

export interface DatagramReadings extends Readonly<DatagramCounts> {
  /** Sockets that use a datagram path beside them. */
  readonly paths: number;
}

export function* datagramFamilies(counts: DatagramReadings): Generator<Family> {
  yield gauge("wyvern_handshakes_open", {
    help: "Connections by UDP that are no sessions yet.",
    value: counts.opening,
  });
  yield {
    name: "wyvern_handshakes_total",
    type: "counter",
    help: "Connections by UDP that have become a session, or have not, by outcome.",
    samples: HANDSHAKE_OUTCOMES.map((outcome) => ({
      labels: { outcome },
      value: counts.handshakes[outcome],
    })),
  };
  yield gauge("wyvern_datagram_paths", {
    help: "Sockets whose datagrams go by a path beside them.",
    value: counts.paths,
  });
  yield byDirection("wyvern_datagrams_total", {
    help: "Datagrams of sessions, by direction.",
    in: counts.received,
    out: counts.sent,
  });
  yield byDirection("wyvern_datagrams_dropped_total", {
    help:
      "Datagrams that this process dropped, by direction. The network's losses are not among them.",
    in: counts.receivedDropped,
    out: counts.sentDropped,
  });
}

function byDirection(
  name: string,
  { help, ...values }: { help: string; in: number; out: number },
): Family {
  const samples = Object.entries(values).map(([direction, value]) => ({
    labels: { direction },
    value,
  }));
  return { name, type: "counter", help, samples };
}
