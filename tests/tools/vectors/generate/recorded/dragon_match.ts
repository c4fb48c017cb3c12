/**
 * One match of dragons in the lab, from a fresh room on. The messages of five connections are
 * recorded where they arrive. The lab's clock is virtual and all chance has seeds, so each run
 * records the same bytes.
 */
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../../../shared/games/dragons/game.ts";
import { hashOf } from "../../../../../shared/random.ts";
import { Lab } from "../../../lab/lab.ts";
import { RandomDragonControls } from "../../../lab/random_controls.ts";
import { deflateRle } from "../deflate.ts";
import type { Recording } from "../connections.ts";
import { ProbingClient } from "./probing_client.ts";

type DragonLab = Lab<DragonCommand, DragonSimulation>;

export interface MatchRecordings {
  /** On the body stream from the room's first tick on. */
  readonly streaming: Recording;
  /** Simulates, joins while others play, and sees a player leave. */
  readonly simulating: Recording;
  /** Joins after a player has left. */
  readonly late: Recording;
  readonly spectator: Recording;
  /** On the body stream; requests states in the middle of it. */
  readonly probing: Recording;
  /** On the body stream by datagrams that are lost, repeated and overtaken. */
  readonly datagrams: Recording;
}

const SEED = 1309;
const NPCS = 4;
const NETWORK = { oneWayMs: 40, jitterMs: 8 };
/** Its clients get early announcements. */
const FAR = { oneWayMs: 90, jitterMs: 8 };
const LOSSY = { oneWayMs: 50, jitterMs: 20, loss: 0.1, duplicated: 0.03, delayed: 0.05 };

type JoinOptions = Partial<Parameters<DragonLab["join"]>[1]>;

/** Lets a player join and records both directions. */
function join(
  lab: DragonLab,
  { name, seed, isLossy = false, isFar = false, ...options }:
    & JoinOptions
    & { name: string; seed: number; isLossy?: boolean; isFar?: boolean },
) {
  const recording: Recording = { fromServer: [], fromClient: [] };
  const joining = {
    commandSource: new RandomDragonControls(seed),
    ...options,
    onArrival: (message: Uint8Array) => recording.fromServer.push(message.slice()),
  };
  const player = isLossy
    ? lab.joinByDatagrams(name, { ...joining, network: LOSSY })
    : lab.join(name, { ...joining, network: isFar ? FAR : NETWORK });
  player.serverEnd.tap = (message) => recording.fromClient.push(message.slice());
  return { player, recording };
}

/** Plays the match. */
export function recordDragonMatch(): MatchRecordings {
  let tokens = 0;
  const newToken = () =>
    [1, 2, 3, 4].map((part) => hashOf(SEED, tokens++, part).toString(16).padStart(8, "0")).join("");
  const lab: DragonLab = new Lab({
    game: dragonGame,
    seed: SEED,
    npcs: NPCS,
    newToken,
    deflate: deflateRle,
  });
  const streaming = join(lab, { name: "Ægir 🐉", seed: 1, startOnBodyStream: true });
  lab.run(1.5);
  const leaver = join(lab, { name: "Wren", seed: 2 });
  lab.run(2);
  const simulating = join(lab, { name: "龍騎士 Ω", seed: 3, isFar: true });
  const datagrams = join(lab, {
    name: "Zoë\u0301",
    seed: 4,
    isLossy: true,
    startOnBodyStream: true,
  });
  lab.run(2.5);
  lab.leave(leaver.player);
  const spectator = join(lab, { name: "", seed: 5, spectate: true });
  lab.run(2);
  const late = join(lab, { name: "x".repeat(30), seed: 6 });
  const probing = new ProbingClient(lab.rooms);
  lab.run(5, () => probing.onTick());
  return {
    streaming: streaming.recording,
    simulating: simulating.recording,
    late: late.recording,
    spectator: spectator.recording,
    probing: probing.recording,
    datagrams: datagrams.recording,
  };
}
