/**
 * `bench datagrams`: who is offered datagrams (`--datagrams auto`), what they gain, and what that
 * costs the server.
 *
 *     lines     a player on each of the lab's lines, in virtual time: the wait in the server's queue and the share of
 *               late commands by WebSocket, and by datagrams where the server offers them
 *     loopback  live: how many of those without a bad line got datagrams
 *     ends      live, in Chromium: how soon a closed tab, a killed browser and a dark way are noticed
 *     cpu       live: a fifth of the players have the line `far`, beside the same players on a server with `off`
 */
import { type FlagValues, present, wholeNumber } from "../../../../shared/flags.ts";
import { PROFILE_NAMES } from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { playOn } from "../../lab/paths/play_on_line.ts";
import { LOSSY_EVERY } from "../match/lossy_line.ts";
import { logProgress, measureServer, msPerTickOf, PLAYERS } from "../match/real_server.ts";
import { medianOf } from "../median.ts";
import { measureEnds } from "./ends.ts";

export const FLAGS = {
  rooms: {
    schema: wholeNumber(40, 6).default(25),
    about: "how many rooms of eight are played at once [25]",
    allowed: "a whole number 6 to 40",
  },
  seconds: {
    schema: wholeNumber(600, 10).default(60),
    about: "how long each of the two servers is measured, in two turns and in windows of five [60]",
    allowed: "a whole number 10 to 600",
  },
  seed: {
    schema: wholeNumber(0xffff_0000).default(5),
    about: "of the lab's lines [5]",
    allowed: "0 to 4294901760",
  },
  json: { schema: present(), about: "one JSON object as the last line", allowed: "", switch: true },
} as const;

/** The choice needs 15 s of commands, and an offer a minute at most. */
const LAB_SECONDS = 120;
const TURNS = ["off", "auto", "auto", "off"] as const;

/** @returns the object that `--json` prints */
export async function measureDatagrams(
  { rooms, seconds, seed }: FlagValues<typeof FLAGS>,
): Promise<Readonly<Record<string, unknown>>> {
  const lines = Object.fromEntries([...PROFILE_NAMES, "far, clean" as const].map((profile) => {
    logProgress(`the lab's line ${profile}`);
    return [profile, rowOf(playOn(profile, { seconds: LAB_SECONDS, seed }))];
  }));
  logProgress("a closed tab, a killed browser, and a way that goes dark");
  const ends = await measureEnds();
  const costs: Record<"off" | "auto", number[]> = { off: [], auto: [] };
  const byPath: number[] = [];
  let desyncs = 0;

  for (const datagrams of TURNS) {
    logProgress(`a server with --datagrams ${datagrams}`);
    const measured = await measureServer({
      rooms,
      seconds: seconds / 2,
      transport: "auto",
      datagrams,
    });
    costs[datagrams].push(...msPerTickOf(measured));
    desyncs += measured.loads.reduce((sum, load) => sum + load.desyncs, 0);
    if (datagrams === "auto") byPath.push(...measured.loads.map((load) => load.byDatagram));
  }

  // `deno task bots` plays one of the rooms; the crowd numbers its players from 1.
  const lossyPlayers = Math.floor((rooms - 1) * PLAYERS / LOSSY_EVERY);
  const byDatagram = medianOf(byPath);
  const [off, auto] = [medianOf(costs.off), medianOf(costs.auto)];
  return {
    lines,
    loopback: {
      players: rooms * PLAYERS - lossyPlayers,
      byDatagram: Math.max(0, Math.max(...byPath) - lossyPlayers),
    },
    cpuMsPerMatchTick: { off: rounded(off), auto: rounded(auto), added: rounded(auto - off) },
    lossy: { players: lossyPlayers, byDatagram },
    desyncs,
    ends,
  };
}

function rowOf(row: ReturnType<typeof playOn>) {
  const { isByDatagram, goneOverS, socketWaitMs, waitMs, socketLateShare, lateShare } = row;
  return {
    isByDatagram,
    ...(goneOverS === undefined ? {} : { goneOverS }),
    waitMs: {
      websocket: rounded(socketWaitMs),
      ...(waitMs === undefined ? {} : { webtransport: rounded(waitMs) }),
    },
    lateShare: {
      websocket: rounded(socketLateShare),
      ...(lateShare === undefined ? {} : { webtransport: rounded(lateShare) }),
    },
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
