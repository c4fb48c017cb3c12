/**
 * The real server and bots: they play by WebSocket at once, and go over to a datagram path beside
 * it.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { BotClient } from "../../../client/bots/bot_client.ts";
import { Bot } from "../../../client/games/dragons/bot.ts";
import type { Game } from "../../../shared/netcode/game.ts";
import { Random } from "../../../shared/random.ts";
import { openQuicEndpoint } from "../../../server/datagrams/quic.ts";
import { PathOffers } from "../../../server/links/path_offers.ts";
import type { PathLink } from "../../../server/links/path_link.ts";
import { DatagramClient, quicTest } from "../../support/datagrams/datagram_client.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const BOTS = {
  game: dragonGame as unknown as Game<unknown>,
  newBot: (seed: number) => new Bot(seed) as never,
  network: { oneWayMs: 0, jitterMs: 0 },
  room: "BOTS",
  stream: "commands",
  transport: "auto",
} as const;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const isByDatagram = ({ session }: BotClient) =>
  session.datagrams?.report?.transport === "webtransport";

quicTest(
  "serve --datagrams on: bots go over to datagrams in play, and none is seated again (SPEC 16.10, 16.11)",
  async () => {
    await using server = await ServerProcess.start("--seed", "3", "--datagrams", "on");
    const url = server.url.replace("http", "ws");
    const random = new Random(5);
    const bots = [0, 1].map((i) => new BotClient({ ...BOTS, url }, i, random));
    await until(() => bots.every((bot) => bot.isPlaying && isByDatagram(bot)));
    const before = bots.map(({ session }) => ({
      ticks: session.definitiveTick,
      arrived: session.datagrams!.stats.down,
    }));
    await until(() =>
      bots.every(({ session }, i) => session.definitiveTick > before[i]!.ticks + 40)
    );
    bots.forEach(({ session, error }, i) => {
      const { stats, datagrams } = session;
      assertEquals([error, stats.desyncs, datagrams!.report!.returns], [undefined, 0, 0]);
      assert(datagrams!.stats.down > before[i]!.arrived + 20);
      // The state of the join. A machine that is busy with other tests may drop ticks, but asks for
      // none.
      assertEquals(stats.statesAdopted, 1);
      assertEquals(session.provenHash(session.definitiveTick - 8) === undefined, false);
    });
    for (const bot of bots) bot.stop();
    assertEquals((await server.stop()).code, 0);

    // The log has one link a bot: a path is none.
    assertEquals([...server.stdout.matchAll(/ link_opened /g)].length, 2);
  },
);

quicTest(
  "serve: by default nobody on this machine is offered datagrams, because nobody would gain (SPEC 16.10)",
  async () => {
    await using server = await ServerProcess.start("--seed", "3");
    const bot = new BotClient({ ...BOTS, url: server.url.replace("http", "ws") }, 0, new Random(6));
    await until(() => bot.isPlaying && bot.session.definitiveTick > 60);
    assertEquals([bot.session.datagrams, bot.error], [undefined, undefined]);
    bot.stop();
  },
);

quicTest(
  "serve: without --datagrams on, a taken UDP port is a line of the log, and the server runs (SPEC 16.8)",
  async () => {
    const udp = openQuicEndpoint({ hostname: "127.0.0.1", port: 0 });
    await using server = await ServerProcess.start("--port", String(udp.addr.port));
    assertMatch(server.stdout, /datagrams_missing .*error=/);
    udp.close();
  },
);

quicTest(
  "HttpServer: a session with a wrong token is refused, and others need none (SPEC 16.11)",
  async () => {
    await using server = await openEchoServer({ datagrams: {} });
    const { port, certificateHash } = server.datagramOffer!;
    const address = (token: string) => ({
      url: `https://127.0.0.1:${port}/socket?path=${token}`,
      certificateHash: Uint8Array.fromHex(certificateHash!),
    });
    for (const token of ["", "0".repeat(32)]) {
      assertEquals(
        (await new DatagramClient(address(token)).ended)[0],
        1006,
      );
    }
    assertEquals(server.counted.filter((what) => what === "refused ticket").length, 2);
    const other = new DatagramClient({ ...address(""), url: `https://127.0.0.1:${port}/socket` });
    await other.roundTrip(1);
    other.link.close(1000, "");
  },
);

Deno.test("PathOffers: a token opens the path of its link once, and for 10 s (SPEC 16.11)", () => {
  const clock = { atMs: 0, now: () => clock.atMs };
  const offers = new PathOffers({
    datagrams: () => ({ port: 1, certificateHash: "00" }),
    isForAll: false,
    clock,
  });
  const [a, b] = [{}, {}] as [PathLink, PathLink];
  const [first, second, third] = [offers.offerTo(a)!, offers.offerTo(b)!, offers.offerTo(a)!];
  assertEquals([first.port, first.certificateHash, first.token.length], [1, "00", 32]);
  assertEquals(offers.redeem(second.token), b);
  assertEquals(offers.redeem(second.token), undefined);
  clock.atMs = 9_999;
  assertEquals(offers.redeem(third.token), a);
  clock.atMs = 10_000;
  assertEquals(offers.redeem(first.token), undefined);

  // Old tokens make room.
  for (let i = 0; i < 1024; i++) assert(offers.offerTo(a));
  assertEquals(offers.offerTo(a), undefined);
  clock.atMs = 20_000;
  assert(offers.offerTo(a));
});
