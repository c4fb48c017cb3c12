/**
 * The real server with `--datagrams on`: who is let in, where clients find the port, and a match
 * that is played over it.
 */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { joinedDatagramAddress } from "../../../client/net/datagram_address.ts";
import { join, type JoinRequest } from "../../../client/net/join.ts";
import { openWebTransportLink } from "../../../client/net/web_transport_link.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import { openQuicEndpoint } from "../../../server/datagrams/quic.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { freePort, PublicServer } from "../../support/servers/public_server.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { DatagramClient, quicTest } from "../../support/datagrams/datagram_client.ts";
import { CONTROL_STREAM, RawQuic } from "../../support/datagrams/raw_quic.ts";
import { runServer, ServerProcess } from "../../support/servers/server_process.ts";
import { runTask } from "../../support/task.ts";
import { RECORDED } from "./http3/recorded.ts";

const REQUEST: JoinRequest = { gameId: dragonGame.id, room: "PLAY", name: "Ada", spectate: false };

/** Resolves with the code and the reason of a link's end. */
function endOf(link: Link): Promise<[number, string]> {
  return new Promise((resolve) => link.onClose((code, reason) => resolve([code, reason])));
}

quicTest(
  "serve --datagrams on: bots and others play one match in sync, and their closes are counted (SPEC 16.8)",
  async () => {
    await using server = await ServerProcess.start("--seed", "3", "--datagrams", "on");
    const witness = new HonestBot(server.url, { seed: 4, room: "BOTS", name: "witness" });
    const url = server.url.replace("http", "ws");
    const flags = ["--clients", "3", "--seconds", "3", "--json"];
    const ended = await runTask("bots", "--url", url, "--transport", "webtransport", ...flags);
    assertEquals(ended.code, 0, ended.stderr);
    const report = JSON.parse(ended.stdout.trimEnd().split("\n").at(-1)!);
    assertEquals([report.clients, report.desyncs, report.errors], [3, 0, 0]);

    // A machine that is busy with other tests may drop ticks. A bot without datagrams would have
    // none.
    assert(report.ticks > 30 && report.commandsSent > 3 * 30);
    await witness.until(() => witness.isPlaying);
    await witness.assertUndisturbed();
    const metrics = await (await fetch(`${server.url}metrics`)).text();
    assert(
      metrics.includes('closes_total{by="peer",code="1000",transport="webtransport"} 3'),
      metrics,
    );
    witness.stop();
    assertEquals((await server.stop()).code, 0);
  },
);

quicTest(
  "serve --datagrams on: a stop closes sessions with the code and the words of a WebSocket (SPEC 16.6)",
  async () => {
    await using server = await ServerProcess.start("--datagrams", "on");
    const link = openWebTransportLink(joinedDatagramAddress(new URL(server.url).origin, REQUEST));
    const bot = new HonestBot(server.url, { seed: 1, room: "PLAY", name: "Bea", open: () => link });
    await bot.until(() => bot.isPlaying);
    const closed = new Promise<string>((resolve) => {
      bot.until(() => false).then(() =>
        resolve(`${bot.session.closeCode} ${bot.session.closeReason}`)
      );
    });
    const { code } = await server.stop();
    assertEquals(code, 0);
    assertEquals(await closed, "1001 the match is over");
  },
);

quicTest(
  "serve --datagrams on: operators and the log see which transport a client has (SPEC 16.21)",
  async () => {
    await using server = await ServerProcess.start("--datagrams", "on", "--ops-port", "0");
    const [, opsUrl, token] =
      (await server.waitForOutput(/^Operators: (\S+); the token is (\w+)$/m))!;
    const open = () =>
      openWebTransportLink(joinedDatagramAddress(new URL(server.url).origin, REQUEST));
    const bots = [
      new HonestBot(server.url, { seed: 1, room: "PLAY", name: "Ada" }),
      new HonestBot(server.url, { seed: 2, room: "PLAY", name: "Ada", open }),
    ];
    await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
    const answer = await fetch(new URL("/api/ops/rooms", opsUrl), {
      headers: { authorization: `Bearer ${token}` },
    });
    const { rooms: [{ clients }] } = await answer.json();
    const transports = clients.map(({ transport }: { transport: string }) => transport);
    assertEquals(transports.toSorted(), ["websocket", "webtransport"]);
    const page = await fetch(new URL("/ops", opsUrl), {
      headers: { authorization: `Bearer ${token}` },
    });
    assertStringIncludes(await page.text(), "<td>webtransport</td>");
    for (const bot of bots) bot.stop();
    await server.waitForOutput(
      /link_closed link=\d address=127\.0\.0\.1 transport=webtransport code=1000/,
    );
  },
);

quicTest(
  "serve: behind a proxy nobody is offered datagrams, unless the operator says where UDP comes (SPEC 16.42)",
  async () => {
    const behind = ["--trust-proxy", "127.0.0.1"];
    for (
      const [flags, isOffered] of [[behind, false], [
        [...behind, "--datagrams-host", "127.0.0.1"],
        true,
      ]] as const
    ) {
      await using server = await ServerProcess.start(...flags);
      const { datagrams } = await join(new URL(server.url).origin, REQUEST);
      assertEquals([flags, datagrams !== undefined], [flags, isOffered]);
    }
  },
);

quicTest(
  "serve --public --datagrams on: a session needs a ticket of its own, which holds once (SPEC 16.8)",
  async () => {
    await using publicServer = await PublicServer.start(["--datagrams", "on"]);
    const { origin } = publicServer;
    const address = await joinedDatagramAddress(origin, REQUEST);
    const without = { ...address, url: address.url.replace(/\?.*/, "") };
    assertEquals((await endOf(openWebTransportLink(without)))[0], 1006);
    const bot = new HonestBot(`${origin}/`, {
      seed: 1,
      room: "PLAY",
      name: "Ada",
      open: () => openWebTransportLink(address),
    });
    await bot.until(() => bot.isPlaying);
    assertEquals((await endOf(openWebTransportLink(address)))[0], 1006, "the ticket was used");
    await bot.assertUndisturbed();
    bot.stop();
    const refused = await publicServer.server.waitForOutput(/refused cause=ticket status=403/);
    assert(refused !== undefined);
  },
);

quicTest(
  "HttpServer: a session is admitted as a socket is, by path, name, origin and number (SPEC 16.8)",
  async () => {
    await using server = await openEchoServer({ datagrams: {}, limits: { socketsPerAddress: 1 } });
    const { port, certificateHash } = server.datagramOffer!;
    assertEquals(port, server.port);
    const addressOf = (path: string, name = "127.0.0.1") => ({
      url: `https://${name}:${port}${path}`,
      certificateHash: Uint8Array.fromHex(certificateHash!),
    });
    assertEquals((await new DatagramClient(addressOf("/elsewhere")).ended)[0], 1006);

    // A page of another site: Chromium's request came from another port of this machine.
    const quic = await RawQuic.connect(addressOf("/socket"));
    await quic.openControl(CONTROL_STREAM);
    await quic.openStream(RECORDED.find(({ name }) => name === "Chromium")!.request);
    await quic.ended;
    const first = new DatagramClient(addressOf("/socket"));
    await first.roundTrip(1);
    assertEquals((await new DatagramClient(addressOf("/socket")).ended)[0], 1006);
    const causes = server.counted.filter((what) => what.startsWith("refused"));
    assertEquals(causes, ["refused path", "refused origin", "refused address_full"]);
    first.link.close(1000, "");
    while (!server.counted.includes("closed 1000 peer")) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const next = new DatagramClient(addressOf("/socket"));
    await next.roundTrip(1);
    next.link.close(1000, "");
  },
);

quicTest(
  "serve --datagrams-host, --datagrams-port: UDP has an address of its own, and a page of the HTTP port may come (SPEC 16.22)",
  async () => {
    const port = freePort();
    const flags = ["--datagrams", "on", "--datagrams-host", "127.0.0.5", "--datagrams-port"];
    await using server = await ServerProcess.start(...flags, `${port}`);
    const { origin, host } = new URL(server.url);
    const address = await joinedDatagramAddress(origin, REQUEST);
    const own = { ...address, url: address.url.replace("127.0.0.1", "127.0.0.5") };
    assertEquals(new URL(address.url).port, `${port}`);
    const ask = async (pageOrigin: string) => {
      const quic = await RawQuic.connect(own);
      await quic.openControl(CONTROL_STREAM);
      const { path, authority } = {
        path: "/socket",
        authority: host.replace(server.port.toString(), `${port}`),
      };
      const status = await quic.request({ authority, path, origin: pageOrigin });
      quic.close();
      return status;
    };
    assertEquals(await ask(origin), 200);
    assertEquals(await ask(`http://127.0.0.1:${port}`), 403);

    // It throws if somebody has the port.
    openQuicEndpoint({ hostname: "127.0.0.1", port: server.port }).close();
  },
);

quicTest(
  "serve --datagrams off: there is no port, and a ticket does not name one (SPEC 16.9)",
  async () => {
    await using server = await ServerProcess.start("--datagrams", "off");
    const link = openWebTransportLink(joinedDatagramAddress(new URL(server.url).origin, REQUEST));
    assertEquals(await endOf(link), [1006, "this server has no datagrams"]);
    // It throws if somebody has the port.
    openQuicEndpoint({ hostname: "127.0.0.1", port: server.port }).close();
  },
);

quicTest(
  "serve --datagrams on: a taken UDP port and a wrong value are one line on stderr and exit code 2",
  async () => {
    const udp = openQuicEndpoint({ hostname: "127.0.0.1", port: 0 });
    const port = String(udp.addr.port);
    const taken = await runServer("--port", port, "--datagrams", "on");
    udp.close();
    assertEquals([taken.code, taken.stdout], [2, ""]);
    assertMatch(
      taken.stderr,
      new RegExp(`^wyvern: --datagrams on needs UDP on port ${port} of 127\\.0\\.0\\.1: .*\n$`),
    );
    const wrong = await runServer("--datagrams", "maybe");
    assertNotEquals(wrong.code, 0);
    assertMatch(wrong.stderr, /^wyvern: --datagrams .*off, auto or on.*\n$/);
  },
);
