/** "Play now" over three real nodes and three real servers of their log. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals } from "@std/assert";
import { Servers } from "../../../client/net/servers.ts";
import { PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { natsTest } from "../../support/nats/with_nats.ts";
import { ReturningBot } from "../../support/returning_bot.ts";
import { PATIENT, playNow, seatedNow, startNodes, until } from "../../support/cluster/play_now.ts";

/** A player near region a, and one near region b. */
const NEAR_A = { a: 20, b: 90 };
const NEAR_B = { a: 90, b: 20 };

natsTest(
  'cluster: three who press "Play now" at three nodes meet; a player near region b gets a room there, and one whose region is full another; each lobby has the room (SPEC 17.160, 17.161, 17.162)',
  async () => {
    await using nodes = await startNodes(
      ["--region", "a", ...PATIENT],
      ["--region", "a", ...PATIENT],
      ["--region", "b", "--tick-load", "1"],
    );
    const [, , far] = nodes.all;
    const game = dragonGame.id;
    const request = { game, protocol: PROTOCOL_VERSION };

    const trips = { roundTripsMs: NEAR_A };
    const found = await Promise.all(
      nodes.all.map((node) => seatedNow(node, { ...request, ...trips })),
    );
    const [{ room, server }] = found as [{ room: string; server: string }];
    assertEquals(found.map((each) => [each.room, each.server]), new Array(3).fill([room, server]));
    assertEquals([found.every(({ ticket }) => ticket !== undefined), server === far!.url], [
      true,
      false,
    ]);
    const bots = nodes.all.map(({ url }, seed) => (
      new ReturningBot(url, { name: `Bot ${seed}`, seed, room, servers: new Servers(url) })
    ));
    const others: ReturningBot[] = [];

    try {
      await until(() => bots.every((bot) => bot.isPlaying), "the bots play");
      const listed = async (url: string) => (await (await fetch(`${url}/api/rooms`)).json()).rooms;
      const isListed = async () => (await listed(nodes.all[0]!.url))[0]?.players === 3;
      await until(isListed, "the lobby of a node has the players of another one");
      for (const { url } of nodes.all) {
        const rooms: { code: string; players: number }[] = await listed(url);
        assertEquals(rooms.map(({ code, players }) => [code, players]), [[room, 3]]);
      }
      // They are in the room, so the next one is the fourth there.
      assertEquals((await seatedNow(far!, { game, roundTripsMs: NEAR_A })).room, room);

      const near = await seatedNow(nodes.all[0]!, { game, roundTripsMs: NEAR_B });
      assertEquals(near.server, far!.url);
      // Matches of region b make its only node busy, for pending bots, too.
      const askNearB = () => playNow(nodes.all[0]!, { game, roundTripsMs: NEAR_B });
      let isFull = false;
      for (let found = near; !isFull && others.length < 8; found = await askNearB()) {
        if (found.room === undefined) break;
        const bot = new ReturningBot(far!.url, {
          name: "",
          seed: 9,
          room: found.room,
          servers: new Servers(far!.url),
        });
        others.push(bot);
        await until(
          async () => bot.isPlaying || (isFull = (await askNearB()).waitMs !== undefined),
          "a bot plays, or b is full",
        );
      }
      await until(async () => (await askNearB()).waitMs !== undefined, "b is full");
      const late = { game, roundTripsMs: NEAR_B, waitedMs: 1_000 };
      assertEquals((await playNow(far!, late)).room, room);
    } finally {
      for (const bot of [...bots, ...others]) bot.stop();
    }

    assertEquals(nodes.all.flatMap(({ brokenLines }) => brokenLines), []);
  },
);
