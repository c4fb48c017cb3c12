/** Tickets, ports and limits of a server of several match processes. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { JoinRefusal } from "../../../client/net/join_refusal.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { PublicServer } from "../../support/servers/public_server.ts";
import { RawSocket } from "../../support/sockets/raw_socket.ts";
import { WorkerServer } from "../../support/servers/worker_server.ts";

/** The status that an upgrade gets. */
async function upgrade(
  port: number,
  { ticket, origin }: { ticket?: string; origin?: string } = {},
): Promise<number> {
  const path = `/socket${ticket === undefined ? "" : `?ticket=${ticket}`}`;
  const { raw, status } = await RawSocket.upgrade(port, {
    path,
    headers: origin === undefined ? [] : [`Origin: ${origin}`],
  });
  raw[Symbol.dispose]();
  return Number(status.split(" ")[1]);
}

Deno.test("serve --workers: a ticket opens one socket, at the process of its room alone (SPEC 17.3)", async () => {
  await using workers = await WorkerServer.start();
  const { server } = workers;
  const { status, ticket, server: address } = await workers.join("CROW");
  assertEquals(status, 200);
  const own = Number(new URL(address).port);
  const worker = own - server.port;
  assertEquals(address, `http://127.0.0.1:${own}`);
  assert(worker === 1 || worker === 2, address);

  // Nobody watches a room that is not there, and the request gives the room to no process.
  const watching = await fetch(`${workers.origin}/api/rooms/NONE/join`, {
    method: "POST",
    body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION, role: "watcher" }),
  });
  assertEquals([watching.status, (await watching.json()).code], [404, CloseCode.noRoom]);

  // Those who want the same room get the same process, also before it is open.
  assertEquals((await workers.join("CROW")).server, address);
  assertEquals(await upgrade(workers.portOf(3 - worker), { ticket }), 403);
  assertEquals(await upgrade(server.port, { ticket }), 403);
  assertEquals(await upgrade(own), 403);
  assertEquals(await upgrade(own, { ticket, origin: "http://example.org" }), 403);
  assertEquals(await upgrade(own, { ticket, origin: `http://127.0.0.1:${server.port + 3}` }), 403);
  assertEquals(await upgrade(own, { ticket, origin: workers.origin }), 101);
  assertEquals(await upgrade(own, { ticket, origin: workers.origin }), 403);
});

Deno.test("serve --workers: a match process has sockets and probes, and gives no ticket (SPEC 17.4)", async () => {
  await using workers = await WorkerServer.start("--ops-port", "0");
  const at = `http://127.0.0.1:${workers.portOf(1)}`;

  for (
    const path of [
      "",
      "play",
      "api/rooms",
      "api/results",
      "api/matches",
      "metrics",
      "ops",
      "api/ops/rooms",
    ]
  ) {
    const answer = await fetch(`${at}/${path}`);
    await answer.body?.cancel();
    assertEquals([path, answer.status], [path, 404]);
  }

  const join = await fetch(`${at}/api/rooms/CROW/join`, { method: "POST", body: "{}" });
  assertEquals([join.status, (await join.text()).includes("ticket")], [405, false]);
  assertEquals(await (await fetch(`${at}/readyz`)).json(), { ready: true, reason: "" });
  const page = await fetch(workers.server.url);
  const policy = page.headers.get("content-security-policy")!;
  await page.body?.cancel();
  const sources = ["ws", "https"].flatMap((scheme) =>
    [1, 2].map((worker) => `${scheme}://127.0.0.1:${workers.portOf(worker)}`)
  );
  assertStringIncludes(policy, `; connect-src 'self' ${sources.join(" ")};`);
});

Deno.test("serve --workers: an address's seats count over all processes, with tickets that are not used (SPEC 17.8)", async () => {
  const seatsMax = 6;
  await using workers = await WorkerServer.start("--seats-per-address", String(seatsMax));
  const bot = await workers.play("CROW");

  try {
    const answers = [];
    for (let i = 0; i < 2 * seatsMax; i++) {
      answers.push(await workers.join(`ROO${String.fromCharCode(65 + i)}`));
    }
    const given = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status !== 200);
    assertEquals(new Set(given.map(({ server }) => server)).size, 2, "rooms at both processes");
    // The bot's seat is one. For a moment its ticket counts, too, until its process has reported
    // that it was used.
    assert(
      given.length === seatsMax - 1 || given.length === seatsMax - 2,
      `${given.length} tickets`,
    );
    for (const { status, code } of refused) {
      assertEquals([status, code], [429, CloseCode.addressFull]);
    }
    assertEquals((await workers.join("CROW", { role: "watcher" })).status, 200);
    await bot.assertUndisturbed();
  } finally {
    bot.stop();
  }
});

Deno.test("serve --workers: the operator's hook decides for all processes, and private rooms have their key (SPEC 17.3, 17.4)", async () => {
  const hook = `export const authorise = ({ credentials, role }) =>
    credentials === "open" ? { name: "Ada", role } : { refusal: "Not you." };`;
  await using publicServer = await PublicServer.start(["--workers", "2", "--ops-port", "0"], hook);
  const { origin, server } = publicServer;
  const key = "A".repeat(22);
  const request = {
    gameId: dragonGame.id,
    room: "CROW",
    name: "Wren",
    spectate: false,
    credentials: "open",
    key,
  };
  const open = () => openNodeWebSocketLink(joinedSocketUrl(origin, request));
  const bot = new HonestBot(server.url, { name: "Wren", seed: 1, room: "CROW", open });

  try {
    await bot.until(() => bot.isPlaying);
    assertEquals(bot.session.names.get(bot.session.seat), "Ada");
    for (
      const [more, words] of [[{ credentials: "" }, "Not you."], [
        { key: "B".repeat(22) },
        "This room is private.",
      ]] as const
    ) {
      const error = await assertRejects(
        () => joinedSocketUrl(origin, { ...request, ...more }),
        JoinRefusal,
        words,
      );
      assertEquals(error.code, CloseCode.unauthorised);
    }
    assertEquals(await (await fetch(`${origin}/api/rooms`)).json(), { rooms: [] });
    await bot.assertUndisturbed();
  } finally {
    bot.stop();
  }
});
