/** A real server of --public, over real sockets. */
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { joinedSocketUrl, type JoinRequest } from "../../../client/net/join.ts";
import { FOREIGN_ANSWER, JoinRefusal, TRY_LATER } from "../../../client/net/join_refusal.ts";
import { SERVER_MARK } from "../../../shared/netcode/link.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import type { Link } from "../../../shared/netcode/link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { freePort, PublicServer } from "../../support/servers/public_server.ts";
import { RawSocket } from "../../support/sockets/raw_socket.ts";
import { runServer, ServerProcess } from "../../support/servers/server_process.ts";
import { Stranger } from "../../support/sockets/stranger.ts";
import { runTask } from "../../support/task.ts";

const REQUEST: JoinRequest = { gameId: dragonGame.id, room: "BOTS", name: "Wren", spectate: false };

/** A bot that asks for a ticket as a page does. */
function newBot(origin: string, seed: number, request: Partial<JoinRequest> = {}): HonestBot {
  const open = (): Link =>
    openNodeWebSocketLink(joinedSocketUrl(origin, { ...REQUEST, ...request }));
  return new HonestBot(`${origin}/`, {
    name: "the hello's",
    seed,
    room: request.room ?? "BOTS",
    open,
  });
}

async function post(origin: string, body: unknown, { headers = {}, room = "BOTS" } = {}) {
  const text = typeof body === "string" ? body : JSON.stringify({
    game: dragonGame.id,
    protocol: PROTOCOL_VERSION,
    ...body as object,
  });
  const answer = await fetch(`${origin}/api/rooms/${room}/join`, {
    method: "POST",
    body: text,
    headers,
  });
  const isJson = answer.headers.get("content-type") === "application/json";
  return {
    status: answer.status,
    headers: answer.headers,
    ...isJson ? await answer.json() : { text: await answer.text() },
  };
}

/** The status line that an upgrade with this ticket gets. */
async function upgrade(port: number, ticket: string | undefined): Promise<string> {
  const { raw, status } = await RawSocket.upgrade(port, {
    path: `/socket${ticket ? `?ticket=${ticket}` : ""}`,
  });
  raw[Symbol.dispose]();
  return status.split(" ")[1]!;
}

Deno.test("public server: no socket opens without a ticket that holds, and each opens one (SPEC 14.17, 14.18, 14.20)", async () => {
  await using publicServer = await PublicServer.start(["--ops-port", "0"]);
  const { server, origin } = publicServer;
  assertEquals(await upgrade(server.port, undefined), "403");
  const { status, ticket, expiresInSeconds, headers } = await post(origin, { name: "Ada" });
  assertEquals([status, expiresInSeconds, headers.get("cache-control")], [200, 45, "no-store"]);
  assertEquals(
    await upgrade(server.port, `${ticket.slice(0, -1)}${ticket.endsWith("A") ? "B" : "A"}`),
    "403",
  );
  assertEquals(await upgrade(server.port, ticket), "101");
  assertEquals(await upgrade(server.port, ticket), "403");
  await using other = await PublicServer.start();
  assertEquals(await upgrade(other.server.port, (await post(origin, {})).ticket), "403");

  const [, opsUrl, token] =
    (await server.waitForOutput(/^Operators: (\S+)ops; the token is (\w+)$/m))!;
  const metrics = await fetch(`${opsUrl}metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  assertMatch(await metrics.text(), /^wyvern_refusals_total\{cause="ticket"\} 3$/m);
});

Deno.test("public server: pages and bots play with tickets; the hello's name does not count (SPEC 14.17, 14.19)", async () => {
  await using publicServer = await PublicServer.start();
  const { server, origin } = publicServer;
  const bot = newBot(origin, 1);

  try {
    await bot.until(() => bot.isPlaying);
    await bot.assertUndisturbed();
    assertEquals(bot.session.names.get(bot.session.seat), "Wren");
    const bots = await runTask(
      "bots",
      "--url",
      server.url.replace("http", "ws"),
      "--seconds",
      "1",
      "--clients",
      "2",
      "--json",
    );
    assertEquals(
      [bots.code, JSON.parse(bots.stdout.trimEnd().split("\n").at(-1)!).errors],
      [0, 0],
      bots.stderr,
    );
    assert(!server.stdout.includes("ticket="), "no ticket is in the log");
  } finally {
    bot.stop();
  }
});

Deno.test("public server: requests that no page of its own sends are refused (SPEC 8.13, 14.17)", async () => {
  await using publicServer = await PublicServer.start();
  const { server, origin } = publicServer;
  const forged = await post(origin, {}, { headers: { origin: "https://evil.example" } });
  assertEquals([forged.status, forged.ticket], [403, undefined]);
  assertEquals((await post(origin, {}, { headers: { origin } })).status, 200);
  using rebound = await RawSocket.connect(server.port);
  await rebound.write(
    "POST /api/rooms/BOTS/join HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\n{}",
  );
  assertMatch(new TextDecoder().decode(await rebound.readToEnd()), /^HTTP\/1\.1 421 /);

  for (const body of ["", "{", "[]", "null", '"x"', "{}", '{"__proto__": {"game": "x"}}']) {
    const { status, code, error } = await post(origin, body);
    assertEquals([body, status, code, typeof error], [body, 400, CloseCode.protocol, "string"]);
  }
  assertEquals((await post(origin, "x".repeat(4_097))).status, 413);
  const version = await post(origin, { protocol: 1 });
  assertEquals([version.status, version.code], [403, CloseCode.version]);
  assertEquals((await post(origin, { game: "chess-1" })).status, 404);
  assertEquals((await post(origin, {}, { room: "A%00B" })).code, CloseCode.roomCode);
  const get = await fetch(`${origin}/api/rooms/BOTS/join`);
  assertEquals([get.status, get.headers.get("allow")], [405, "POST"]);
  await get.body?.cancel();

  // Half a body, and then nothing or the end: the log has no line for it.
  const halfBody = async () => {
    const raw = await RawSocket.connect(server.port);
    await raw.write(
      `POST /api/rooms/BOTS/join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{`,
    );
    return raw;
  };
  (await halfBody())[Symbol.dispose]();
  using slow = await halfBody();
  await slow.readToEnd(); // the time of a request is over
  const { stdout } = await server.stop();
  assertEquals([...stdout.matchAll(/_failed.*/g)].flat(), []);
});

Deno.test("public server: a full server says when to come again (SPEC 14.12, 14.17)", async () => {
  await using publicServer = await PublicServer.start(["--rooms", "1"]);
  const { origin } = publicServer;
  const bot = newBot(origin, 1);

  try {
    await bot.until(() => bot.isPlaying);
    const { status, code, error, retryAfterSeconds, headers } = await post(origin, {}, {
      room: "ELSE",
    });
    assertEquals([status, code, retryAfterSeconds, headers.get("retry-after")], [
      503,
      CloseCode.busy,
      10,
      "10",
    ]);
    assertEquals(error, "no more rooms can be opened here; try again in 10 s");
  } finally {
    bot.stop();
  }
});

Deno.test("public server: a private room is in no list, and only its key opens it (SPEC 14.23)", async () => {
  await using publicServer = await PublicServer.start();
  const { origin } = publicServer;
  const key = "AAAAAAAAAAAAAAAAAAAAAA";
  const bot = newBot(origin, 1, { key });

  try {
    await bot.until(() => bot.isPlaying);
    assertEquals(await (await fetch(`${origin}/api/rooms`)).json(), { rooms: [] });
    for (const body of [{}, { role: "watcher" }, { key: "AAAAAAAAAAAAAAAAAAAAAB" }]) {
      const { status, code, error } = await post(origin, body);
      assertEquals([status, code], [403, CloseCode.unauthorised]);
      assertEquals(error, "This room is private. Ask a player in it for its link.");
    }
    const second = newBot(origin, 2, { key });
    await second.until(() => second.isPlaying);
    second.stop();
    await bot.assertUndisturbed();
  } finally {
    bot.stop();
  }
});

const HOOK = `
export const authorise = async ({ credentials, name, role, headers }) => {
  switch (credentials) {
    case "throw": throw new Error("planted");
    case "hang": return await new Promise(() => {});
    case "nonsense": return { name: 7 };
    case "no": return { refusal: "Only members play here." };
    case "seat": return { name: "Ada", role, seat: 9 };
    case "cookie": return { name: headers.cookie, role };
    default: return { name: "known " + name, role };
  }
};
`;

Deno.test("public server: the operator's hook names, seats and refuses; its faults harm nobody (SPEC 14.21, 14.22)", async () => {
  await using publicServer = await PublicServer.start([], HOOK);
  const { server, origin } = publicServer;
  const [bot, seated] = [newBot(origin, 1), newBot(origin, 2, { credentials: "seat" })];

  try {
    await Promise.all([bot, seated].map((each) => each.until(() => each.isPlaying)));
    assertEquals([bot.session.names.get(bot.session.seat), seated.session.seat], ["known Wren", 9]);
    assertEquals((await post(origin, { credentials: "no" })).error, "Only members play here.");
    const cookie = await post(origin, { credentials: "cookie" }, { headers: { cookie: "Grace" } });
    assertEquals(cookie.status, 200);
    const answers = await Promise.all(
      ["throw", "nonsense", "hang"].map((credentials) => post(origin, { credentials })),
    );
    for (const { status, code, error } of answers) {
      assertEquals([status, code], [403, CloseCode.unauthorised]);
      assertStringIncludes(error, "It cannot be checked at the moment");
    }
    for (const words of ["planted", "the answer is none", "TimeoutError"]) {
      assert(await server.waitForOutput(new RegExp(` error authorise_failed .*${words}`)), words);
    }
    await bot.assertUndisturbed();
  } finally {
    for (const each of [bot, seated]) each.stop();
  }
});

Deno.test("server: --public without a secret, and a hook that cannot be used, are one line and exit code 2 (SPEC 14.20, 14.21)", async () => {
  const unsigned = await runServer(
    "--public",
    "--origin",
    "https://a.example",
    "--port",
    `${freePort()}`,
  );
  assertEquals([unsigned.code, unsigned.stdout], [2, ""]);
  assertMatch(
    unsigned.stderr,
    /^wyvern: --public needs a secret: .*--secret-file.*WYVERN_SECRET\n$/,
  );
  const missing = await runServer("--port", "0", "--authorise", "/no/such/hook.ts");
  assertEquals([missing.code, missing.stdout], [2, ""]);
  assertMatch(missing.stderr, /^wyvern: --authorise \/no\/such\/hook\.ts cannot be used: .*\n$/);
});

Deno.test("joinedSocketUrl: every end is a close of the link, with the server's code and words (SPEC 14.17)", async () => {
  const headers = { [SERVER_MARK]: String(PROTOCOL_VERSION) };
  const answers: Record<string, () => Response> = {
    json: () =>
      Response.json({ code: CloseCode.unauthorised, error: "Not you." }, { status: 403, headers }),
    old: () =>
      new Response("There is no such page.", { status: 404, headers: { [SERVER_MARK]: "1" } }),
    rate: () => new Response("Too many requests.", { status: 429, headers }),
    broken: () => new Response("{", { headers: { "content-type": "application/json" } }),
  };
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => answers[new URL(request.url).pathname.split("/")[3]!]!(),
  );
  const closeOf = (origin: string, room: string) =>
    new Promise((resolve) => {
      const link = openNodeWebSocketLink(joinedSocketUrl(origin, { ...REQUEST, room }));
      link.send(new Uint8Array(3));
      link.onClose((code, reason) => resolve([code, reason.split(":", 1)[0]]));
    });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  assertEquals(await closeOf(origin, "json"), [CloseCode.unauthorised, "Not you."]);
  assertEquals(await closeOf(origin, "old"), [CloseCode.version, "There is no such page."]);
  assertEquals(await closeOf(origin, "rate"), [TRY_LATER, "Too many requests."]);
  const [code] = await closeOf(origin, "broken") as [number, string];
  assertEquals(code, FOREIGN_ANSWER);
  assertEquals(await closeOf(`http://127.0.0.1:${freePort()}`, "BOTS"), [1006, "TypeError"]);

  // A page that leaves before it has a ticket opens no socket.
  const url = Promise.withResolvers<string>();
  const link = openNodeWebSocketLink(url.promise);
  const codes: number[] = [];
  const closed = new Promise<void>((resolve) =>
    link.onClose((code) => (codes.push(code), resolve()))
  );
  link.close(1000, "left");
  assertEquals(codes, []);
  await closed;
  url.reject(new JoinRefusal(CloseCode.busy, "late"));
  await url.promise.catch(() => {});
  assertEquals(codes, [1000]);
});

Deno.test("Stranger: without --public a client in another language needs no ticket (SPEC 14.20)", async () => {
  await using server = await ServerProcess.start("--npcs", "0");
  const stranger = await Stranger.join(server.port);
  assertEquals(stranger.welcome?.seat, 0);
  stranger.cut();
});
