/**
 * The honest players, in a thread of their own, because what attackers cost their own thread is not
 * the server's fault. They come from 127.0.0.1 and answer the requests of `Players`.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { openWholeSession } from "../../../client/net/datagram_session.ts";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import type { PlayersAnswer, PlayersRequest } from "./players.ts";

const bots: HonestBot[] = [];
let newcomers = 0;

/**
 * A bot that asks for a ticket first, as a page does.
 * @param url http://… of the server
 * @param options.byDatagrams whether it plays by WebTransport
 */
function newBot(
  url: string,
  { byDatagrams = false, ...player }: {
    name: string;
    seed: number;
    room: string;
    byDatagrams?: boolean;
  },
): HonestBot {
  const request = { gameId: dragonGame.id, room: player.room, name: player.name, spectate: false };
  const { origin } = new URL(url);
  return new HonestBot(url, {
    ...player,
    open: () =>
      byDatagrams
        ? openWholeSession(origin, request)
        : openNodeWebSocketLink(joinedSocketUrl(origin, request)),
  });
}

async function answer(request: PlayersRequest): Promise<PlayersAnswer> {
  if (request.type === "start") {
    for (let seed = 1; seed <= request.count; seed++) {
      const player = { name: `honest ${seed}`, seed: request.seed + seed, room: "BOTS" };
      bots.push(newBot(request.url, { ...player, byDatagrams: seed <= request.sessions }));
    }
    await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying && bot.session.isInSync)));
  } else if (request.type === "newcomer") return await join(request.url);
  else if (request.type === "sync") {
    const ticks = bots.map(({ session }) => session.definitiveTick);
    await Promise.all(
      bots.map((bot, i) =>
        bot.until(() => bot.session.isInSync && bot.session.definitiveTick > ticks[i]! + 5)
      ),
    );
  } else if (request.type === "stop") { for (const bot of bots) bot.stop(); }

  return {
    closes: bots.map(({ session }) => session.closeCode).filter((code) => code !== 0),
    desyncs: bots.reduce((sum, { session }) => sum + session.stats.desyncs, 0),
    gaps: bots.reduce((sum, { gaps }) => sum + gaps, 0),
    commandsSent: bots.reduce((sum, { session }) => sum + session.stats.commandsSent, 0),
    commandsLate: bots.reduce((sum, { session }) => sum + session.stats.commandsLate, 0),
    seats: bots.map(({ session }) => session.seat ?? -1),
  };
}

/** Lets a newcomer join a room of their own, play and leave. */
async function join(url: string): Promise<PlayersAnswer> {
  const beganMs = performance.now();
  const number = newcomers++;
  const room = `NEW${String.fromCharCode(65 + number % 26)}`;
  const bot = newBot(url, { name: "newcomer", seed: number, room });
  await bot.until(() => bot.isPlaying);
  const { closeCode, closeReason } = bot.session;
  const answer = { ms: performance.now() - beganMs, closeCode, closeReason };
  bot.stop();
  return answer;
}

self.onmessage = async (
  { data: { id, request } }: MessageEvent<{ id: number; request: PlayersRequest }>,
) => {
  self.postMessage({ id, answer: await answer(request) });
};
