/**
 * Words which way messages take, and what becomes of datagrams, in pure functions of the session's
 * own counts.
 */
import { type DatagramStats, newDatagramStats } from "../session/datagrams/datagram_stats.ts";
import type { PathReport } from "../session/datagrams/path_keeper.ts";

/** What these words take from a session. */
export interface TransportSource {
  /** Undefined before the first datagram or offer. */
  readonly datagrams:
    | { readonly report: PathReport | undefined; readonly stats: DatagramStats }
    | undefined;
}

export interface TransportWords {
  readonly transport: string;
  /** How many datagrams were lost on their way up and down, as shares since the session began. */
  readonly losses: string;
  /** How many datagrams came twice, and what only came by a repeat. */
  readonly repeats: string;
}

const NO_STATS = newDatagramStats();
const NO_OFFER = "the server has not offered datagrams";
/** Shown instead of a share while nothing is counted. */
const NONE = "–";

export function transportWords({ datagrams }: TransportSource): TransportWords {
  const { upJudged, upLost, commandsSaved, down, downLost, downAgain, ticksSaved } =
    datagrams?.stats ?? NO_STATS;
  return {
    transport: transportOf(datagrams),
    losses: `${shareOf(upLost, upJudged)} ↑ ${shareOf(downLost, down)} ↓`,
    repeats: `${downAgain} again · saved ${commandsSaved} ↑ ${ticksSaved} ↓`,
  };
}

function transportOf(datagrams: TransportSource["datagrams"]): string {
  if (datagrams === undefined) return `WebSocket: ${NO_OFFER}`;
  const { report } = datagrams;
  if (report === undefined) return "WebTransport alone";
  const { transport, why, returns } = report;
  const back = returns === 0 ? "" : ` · back ${returns}×`;
  return `${transport === "webtransport" ? "WebTransport" : "WebSocket"}: ${why}${back}`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? NONE : `${(100 * part / whole).toFixed(1)} %`;
}
