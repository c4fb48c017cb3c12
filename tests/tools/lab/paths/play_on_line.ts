/**
 * Measures whether a player on one connection gets datagrams, and what they gain, in virtual time
 * with the counter game.
 */
import {
  networkModelOf,
  type ProfileName,
} from "../../../../shared/netcode/simulated_network/network_profiles.ts";
import { counterGame } from "../counter_game.ts";
import { Lab } from "../lab.ts";
import { RandomCounterControls } from "../random_controls.ts";

/**
 * Plays alone on one of the lab's connections, with datagrams if the server offers them.
 * @returns the player's figures
 */
export function playOn(
  profile: ProfileName | "far, clean",
  { seconds, seed }: { seconds: number; seed: number },
) {
  const lab = new Lab({ game: counterGame, seed, npcs: 0 });
  const commandSource = new RandomCounterControls(seed);
  const network = profile === "far, clean"
    ? { oneWayMs: 100, jitterMs: 5 }
    : networkModelOf(profile, { runMs: 120_000 });
  const { session, link } = lab.joinByPath("p", { commandSource, network });
  const isByDatagram = () => session.datagrams?.report?.transport === "webtransport";
  let goneOverS: number | undefined;
  for (let second = 0; second < seconds && goneOverS === undefined; second++) {
    lab.run(1);
    if (isByDatagram()) goneOverS = second;
  }
  const socket = { ...session.stats };

  // The lead has to shrink first.
  if (goneOverS !== undefined) lab.run(20);
  const before = { ...session.stats };
  if (goneOverS !== undefined) lab.run(60);
  const { stats } = session;
  const waits = stats.waits - before.waits;
  return {
    offers: link.offers,
    goneOverS,
    socketWaitMs: socket.waitMsSum / socket.waits,
    waitMs: waits === 0 ? undefined : (stats.waitMsSum - before.waitMsSum) / waits,
    socketLateShare: socket.commandsLate / socket.waits,
    lateShare: waits === 0 ? undefined : (stats.commandsLate - before.commandsLate) / waits,
    desyncs: stats.desyncs,
    isByDatagram: isByDatagram(),
  };
}
