/** Requests for rooms that have to be new, at the real server. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals } from "@std/assert";
import { joinedSocketUrl, socketUrlOf } from "../../../client/net/join.ts";
import { JoinRefusal } from "../../../client/net/join_refusal.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const KEY = "q".repeat(22);

/**
 * Asks for a ticket of a new room.
 * @returns the status, and the ticket with its address or the close code
 */
async function request(origin: string, room: string, more: object = {}) {
  const answer = await fetch(`${origin}/api/rooms/${room}/join`, {
    method: "POST",
    body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION, new: true, ...more }),
  });
  const { ticket, server = "", code } = await answer.json();
  return { status: answer.status, ticket: `${ticket}@${new URL(server, origin).href}`, code };
}

/** A bot that comes in with a ticket. */
function botWith(origin: string, ticket: string, room: string): HonestBot {
  const open = () => openNodeWebSocketLink(socketUrlOf(origin, ticket));
  return new HonestBot(`${origin}/`, { name: room, seed: 1, room, open });
}

for (const flags of [[], ["--workers", "2"]]) {
  Deno.test(`serve ${flags.join(" ")}: a new room is never one that others have (SPEC 7.24)`, async () => {
    await using server = await ServerProcess.start(...flags, "--tick-load", "100");
    const { origin } = new URL(server.url);
    const bots: HonestBot[] = [];
    const enter = async (ticket: string, room: string) => {
      const bot = botWith(origin, ticket, room);
      bots.push(bot);
      await bot.until(() => bot.isPlaying);
      return bot;
    };

    try {
      // Two players draw the same code at the same time: the second one learns it at the hello.
      const first = await request(origin, "DRAW");
      const second = await request(origin, "DRAW");
      assertEquals([first.status, second.status], [200, 200]);
      const inside = await enter(first.ticket, "DRAW");
      assertEquals(inside.isPlaying, true);
      const late = botWith(origin, second.ticket, "DRAW");
      bots.push(late);
      await late.until(() => late.isPlaying || late.session.phase === "closed");
      assertEquals([late.session.phase, late.session.closeCode], ["closed", CloseCode.roomTaken]);

      // Later ones learn it with their request, also for a room of their own that has a key.
      for (const more of [{}, { key: KEY }]) {
        const { status, code } = await request(origin, "DRAW", more);
        assertEquals([status, code], [409, CloseCode.roomTaken]);
      }

      // A private room is as taken as another one.
      const own = await request(origin, "MINE", { key: KEY });
      await enter(own.ticket, "MINE");
      assertEquals((await request(origin, "MINE")).code, CloseCode.roomTaken);

      // Friends come in as before, and so does a player who returns to the seat.
      const friend = { gameId: dragonGame.id, room: "DRAW", name: "Friend", spectate: false };
      await joinedSocketUrl(origin, friend);
      await joinedSocketUrl(origin, { ...friend, isNew: true, resume: inside.session.resume });
      const refusal = await joinedSocketUrl(origin, { ...friend, isNew: true }).catch((error) =>
        error
      );
      assertEquals(refusal instanceof JoinRefusal && refusal.code, CloseCode.roomTaken);
    } finally {
      for (const bot of bots) bot.stop();
    }
  });
}
