/**
 * `bench transport`: eight real bots over a bad line, by WebSocket and by WebTransport in turns,
 * and the same in the lab. Linux only, because it reads `/proc`.
 *
 *     waitMs     how long commands wait in the server's queue beyond what the line needs (tests/tools/lab/queues/oracle.ts)
 *     lateShare  the share of commands that arrive after their tick, or never
 *
 * The lab plays each of its matches with another seed of the line: one minute of one match varies
 * by a tenth.
 */
import { build } from "../../../../client/build/build.ts";
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import type { CommandArrival } from "../../lab/queues/oracle.ts";
import { medianOf } from "../median.ts";
import { playInLab } from "./lab_match.ts";
import { type LiveMatch, playLive } from "./live_match.ts";
import {
  type MatchPlan,
  type Transport,
  TRANSPORTS,
  type WaitFigures,
  waitFiguresOf,
} from "./plan.ts";

const PERCENT = 100;

export const FLAGS = {
  seconds: {
    schema: wholeNumber(600, 5).default(60),
    about: "how long each match is measured, after its warm-up [60]",
    allowed: "a whole number 5 to 600",
  },
  rounds: {
    schema: wholeNumber(20, 1).default(2),
    about: "matches of each transport, in turns [2]",
    allowed: "a whole number 1 to 20",
  },
  "rtt-ms": {
    schema: wholeNumber(1_000).default(100),
    about: "the shortest round trip [100]",
    allowed: "0 to 1000",
  },
  "jitter-ms": {
    schema: wholeNumber(200).default(5),
    about: "its deviation in each direction; 5 is that of the lab's lines by cable [5]",
    allowed: "0 to 200",
  },
  loss: {
    schema: wholeNumber(30).default(1),
    about: "percent of what is sent, for datagrams in bursts of three [1]",
    allowed: "a whole number 0 to 30",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(1),
    about: "of bots and line [1]",
    allowed: "0 to 4294901760",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** Without a warm-up the window would begin with the leads that the pings gave. */
const WARM_UP_SECONDS = 20;
const BOTS = 8;
const NPCS = 4;
/** How many matches are played in the lab for each live one. */
const LAB_MATCHES = 4;
/**
 * Spaces the seeds, so that each round of each transport gets a line of its own. Relays and lab
 * number clients from its seed.
 */
const SEEDS_PER_MATCH = 100;

type ByTransport<Value> = Readonly<Record<Transport, Value>>;

export interface TransportReport extends ByTransport<WaitFigures> {
  readonly lab: ByTransport<WaitFigures>;
  readonly desyncs: number;
  readonly cpuMsPerMatchTick: ByTransport<number>;
  readonly [key: string]: unknown;
}

/** @returns the object that `--json` prints */
export async function measureTransport(
  { seconds, rounds, seed, loss, "rtt-ms": rttMs, "jitter-ms": jitterMs }: FlagValues<typeof FLAGS>,
): Promise<TransportReport> {
  const model = { oneWayMs: rttMs / 2, jitterMs, loss: loss / PERCENT };
  const plan: MatchPlan = { bots: BOTS, npcs: NPCS, warmUpSeconds: WARM_UP_SECONDS, seconds };
  await build();
  const live: Record<Transport, LiveMatch[]> = { websocket: [], webtransport: [] };

  for (let round = 0; round < rounds; round++) {
    // Every other round reverses the order, so that a machine that slows down favours none.
    for (const transport of round % 2 === 0 ? TRANSPORTS : TRANSPORTS.toReversed()) {
      const match = await playLive(plan, {
        transport,
        model,
        seed: seed + round * SEEDS_PER_MATCH,
      });
      live[transport].push(match);
      console.error(`${round + 1}/${rounds} ${transport}: ${JSON.stringify(describe(match))}`);
    }
  }

  const lab = byTransport((transport) => {
    const bots: CommandArrival[][] = [];
    for (let match = 0; match < rounds * LAB_MATCHES; match++) {
      const line = { model, seed: seed + match * SEEDS_PER_MATCH };
      bots.push(...playInLab(plan, { ...line, ordered: transport === "websocket" }));
    }
    return waitFiguresOf(bots);
  });
  const matches = [...live.websocket, ...live.webtransport];
  const cpu = byTransport((transport) =>
    live[transport].map(({ cpuMsPerMatchTick }) => cpuMsPerMatchTick)
  );
  return {
    ...byTransport((transport) => waitFiguresOf(live[transport].flatMap(({ bots }) => bots))),
    lab,
    desyncs: matches.reduce((sum, { desyncs }) => sum + desyncs, 0),
    cpuMsPerMatchTick: byTransport((transport) => Number(medianOf(cpu[transport]).toFixed(4))),
  };
}

function byTransport<Value>(valueOf: (transport: Transport) => Value): ByTransport<Value> {
  return { websocket: valueOf("websocket"), webtransport: valueOf("webtransport") };
}

function describe({ bots, cpuMsPerMatchTick, desyncs, droppedTicks }: LiveMatch) {
  const missing = bots.flat().filter(({ delayMs }) => delayMs === Infinity).length;
  return { ...waitFiguresOf(bots), missing, desyncs, droppedTicks, cpuMsPerMatchTick };
}
