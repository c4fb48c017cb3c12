import { dragonGame } from "../../../shared/games/dragons/game.ts";
import {
  assert,
  assertEquals,
  assertGreater,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { HonestBot } from "../../support/honest_bot.ts";
import { PublicServer } from "../../support/servers/public_server.ts";
import { RawSocket } from "../../support/sockets/raw_socket.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { HELLO, Stranger } from "../../support/sockets/stranger.ts";

/** A server with its operators' port, and its token. */
async function startOperated(...args: string[]) {
  return await operated(await ServerProcess.start("--ops-port", "0", ...args));
}

/** The same for a server that runs. */
async function operated(server: ServerProcess) {
  const [, url, token] =
    (await server.waitForOutput(/^Operators: (\S+)ops; the token is (\w+)$/m))!;
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(url + path, {
      ...options,
      headers: { authorization: `Bearer ${token}`, ...options.headers },
    });
  const act = async (name: string, values: unknown) => {
    const answer = await ask(`api/ops/${name}`, { method: "POST", body: JSON.stringify(values) });
    return { status: answer.status, ...await answer.json() };
  };
  return { server, url: url!, token: token!, ask, act };
}

/** The link of a client, as the operator sees it. */
async function linkOf(ask: (path: string) => Promise<Response>, name: string): Promise<number> {
  const { rooms } = await (await ask("api/ops/rooms")).json();
  return rooms.flatMap(({ clients }: { clients: unknown[] }) => clients)
    .find((client: { name: string }) => client.name === name).link;
}

Deno.test("operators: without the token there is neither page, list, command nor metric (SPEC 14.14)", async () => {
  const { server, url, ask, token } = await startOperated();
  await using _ = server;
  for (const path of ["metrics", "api/ops/rooms", "ops"]) {
    const without = await fetch(url + path);
    assertEquals([path, without.status], [path, 401]);
    assert(!(await without.text()).includes("Rooms"));
    const wrong = await fetch(url + path, {
      headers: { authorization: `Bearer ${token.slice(1)}0` },
    });
    assertEquals([path, wrong.status], [path, 401]);
    await wrong.body?.cancel();
    assertEquals([path, (await ask(path)).status], [path, 200]);
  }
  const command = await fetch(`${url}api/ops/kick`, { method: "POST", body: '{"link": 1}' });
  assertEquals(command.status, 401);
  // A page of another site.
  assertEquals((await ask("metrics", { headers: { origin: "https://example.org" } })).status, 403);
});

Deno.test("operators: who shows the token may come by any name, and a browser may not (SPEC 14.49)", async () => {
  const { server, url, token } = await startOperated("--ops-host", "0.0.0.0");
  await using _ = server;
  const port = Number(new URL(url).port);
  const signedIn = await fetch(`http://127.0.0.1:${port}/ops/session`, {
    method: "POST",
    body: `token=${token}`,
    redirect: "manual",
  });
  const [cookie] = signedIn.headers.get("set-cookie")!.split(";");
  const statusOf = async (path: string, host: string, ...headers: string[]) => {
    using raw = await RawSocket.connect(port);
    const lines = [`GET ${path} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...headers];
    await raw.write(`${lines.join("\r\n")}\r\n\r\n`);
    return Number(/^HTTP\/1\.1 (\d+) /.exec(new TextDecoder().decode(await raw.readToEnd()))![1]);
  };

  // A scraper names the port by the address of a pod, by a name of the cluster or by one of its
  // own.
  for (
    const host of [
      `10.1.2.3:${port}`,
      `wyvern.games.svc:${port}`,
      "[fd00::7]",
      "metrics.example.org",
    ]
  ) {
    const bearer = (text: string) => `Authorization: Bearer ${text}`;
    assertEquals(await statusOf("/metrics", host, bearer(token)), 200, host);
    assertEquals(await statusOf("/api/ops/rooms", host, bearer(token)), 200, host);
    assertEquals(await statusOf("/metrics", host, bearer(`${token.slice(1)}0`)), 401, host);
    // A browser brings its cookie along wherever a name points.
    assertEquals(await statusOf("/ops", host, `Cookie: ${cookie}`), 421, host);
    assertEquals(await statusOf("/metrics", host, `Cookie: ${cookie}`), 421, host);
    assertEquals(await statusOf("/ops", host), 421, host);
  }

  assertEquals(await statusOf("/ops", `localhost:${port}`, `Cookie: ${cookie}`), 200);
});

Deno.test("operators: wrong tokens are soon not looked at, and the right one always is (SPEC 14.45)", async () => {
  const { server, url, ask, token } = await startOperated();
  await using _ = server;
  let status = 401;
  for (let i = 0; i < 40 && status === 401; i++) {
    const form = await fetch(`${url}ops/session`, { method: "POST", body: `token=${i}` });
    await form.body?.cancel();
    status = form.status;
  }

  assertEquals(status, 429);
  const bearer = (text: string) =>
    fetch(`${url}metrics`, { headers: { authorization: `Bearer ${text}` } });
  for (let i = 0; i < 15; i++) {
    const [wrong, right] = [await bearer(`wrong ${i}`), await ask("metrics")];
    assertEquals([wrong.status, wrong.headers.get("retry-after"), right.status], [429, "5", 200]);
    for (const answer of [wrong, right]) await answer.body?.cancel();
  }

  const signIn = await fetch(`${url}ops/session`, {
    method: "POST",
    body: `token=${token}`,
    redirect: "manual",
  });
  assertEquals(signIn.status, 303);

  // Another address has tokens of its own, as long as all together have not used theirs up.
  const { status: without } = await fetch(`${url}ops`);
  assertEquals(without, 401, "none is no wrong one");
});

Deno.test("operators: bad values are refused in words, and long bodies (SPEC 14.14)", async () => {
  const { server, act, ask } = await startOperated();
  await using _ = server;

  for (
    const [name, values, status, words] of [
      ["kick", { link: 99 }, 404, "link 99 is not here"],
      ["kick", { link: "x" }, 400, "link: "],
      ["kick", undefined, 400, "the body: "],
      ["ban", { address: "somewhere" }, 400, "address: "],
      ["ban", { address: "127.0.0.9", seconds: 1e9 }, 400, "seconds: "],
      ["unban", { address: "127.0.0.9" }, 404, "127.0.0.9 is not banned"],
      ["close", { game: "dragons", room: "NONE" }, 404, "there is no room NONE"],
      ["watch", { game: "dragons", room: "NONE" }, 404, "there is no room NONE"],
      ["watch", { game: "chess", room: "BOTS" }, 404, "there is no room BOTS"],
      ["close", { game: "dragons", room: "<b>" }, 400, "room: "],
      ["announce", { text: " " }, 400, "text: "],
      ["announce", { text: "two\nlines" }, 400, "text: has to be one line"],
      ["announce", { text: "\u202Eback to front" }, 400, "text: has to be one line"],
      ["announce", { text: "€".repeat(81) }, 400, "text: has at most 240 bytes"],
      ["dance", {}, 404, "can be done here"],
    ] as const
  ) {
    const answer = await act(name, values);
    assertEquals([name, answer.status], [name, status]);
    assertStringIncludes(answer.error, words);
  }

  const long = await ask("api/ops/kick", { method: "POST", body: "x".repeat(2_000) });
  assertEquals(long.status, 413);
});

Deno.test("operators: kick, ban and close end the links that they mean, and no other (SPEC 14.15)", async () => {
  const { server, act, ask } = await startOperated();
  await using _ = server;
  const [stays, kicked, closed] = ["stays", "kicked", "closed"].map((name, seed) =>
    new HonestBot(server.url, { name, seed, room: name === "closed" ? "SHUT" : "BOTS" })
  ) as [HonestBot, HonestBot, HonestBot];

  try {
    await Promise.all([stays, kicked, closed].map((bot) => bot.until(() => bot.isPlaying)));
    assertEquals((await act("kick", { link: await linkOf(ask, "kicked") })).status, 200);
    await kicked.until(() => kicked.session.phase === "closed");
    assertEquals(kicked.session.closeCode, CloseCode.kicked);

    // Neither a ticket nor a seat's token leads back into that room for five minutes.
    const again = await fetch(`${server.url}api/rooms/BOTS/join`, {
      method: "POST",
      body: JSON.stringify({ game: dragonGame.id, protocol: PROTOCOL_VERSION }),
    });
    assertEquals([again.status, (await again.json()).code], [403, CloseCode.kicked]);
    const back = new HonestBot(server.url, { name: "kicked", seed: 7, room: "BOTS" });
    await back.until(() => back.session.phase === "closed");
    assertEquals(back.session.closeCode, CloseCode.kicked);
    back.stop();
    assertMatch(await (await ask("ops")).text(), /<td>127\.0\.0\.1<\/td><td>room BOTS<\/td>/);
    assertEquals((await act("close", { game: "dragons", room: "SHUT" })).status, 200);
    await closed.until(() => closed.session.phase === "closed");
    assertEquals(closed.session.closeCode, CloseCode.roomClosed);
    await stays.assertUndisturbed();
    const { rooms } = await (await ask("api/ops/rooms")).json();
    assertEquals(
      rooms.map((
        { room, clients }: { room: string; clients: unknown[] },
      ) => [room, clients.length]),
      [
        ["BOTS", 1],
      ],
    );

    const banned = await act("ban", { address: "127.0.0.1", seconds: 60 });
    assertEquals([banned.status, banned.done], [200, "banned 127.0.0.1 for 60 s; closed 1 links"]);
    await stays.until(() => stays.session.phase === "closed");
    assertEquals(stays.session.closeCode, CloseCode.kicked);
    const statusOf = async () => {
      using raw = await RawSocket.connect(server.port);
      await raw.write(
        `GET /socket HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      );
      return new TextDecoder().decode(await raw.read(12));
    };
    assertEquals(await statusOf(), "HTTP/1.1 403");
    const join = await fetch(`${server.url}api/rooms/BOTS/join`, { method: "POST", body: "{}" });
    const words = "An operator has banned your address for a while.";
    assertEquals([join.status, await join.json()], [403, {
      code: CloseCode.unauthorised,
      error: words,
    }]);
    assertMatch(
      await (await ask("metrics")).text(),
      /^wyvern_refusals_total\{cause="banned"\} 1$/m,
    );
    assertEquals((await act("unban", { address: "127.0.0.1" })).status, 200);
    assertEquals(await statusOf(), "HTTP/1.1 101");
    for (
      const event of ["operator_kicked", "operator_closed", "operator_banned", "operator_unbanned"]
    ) {
      assert(await server.waitForOutput(new RegExp(event)), event);
    }
  } finally {
    for (const bot of [stays, kicked, closed]) bot.stop();
  }
});

Deno.test("operators: an announced sentence reaches every client, and changes nothing else (SPEC 14.26)", async () => {
  const { server, act } = await startOperated();
  await using _ = server;
  const bots = ["BOTS", "BOTS", "MORE"].map((room, seed) =>
    new HonestBot(server.url, { name: "", seed, room })
  );

  try {
    await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
    assertEquals(await act("announce", { text: " We stop at noon ☀ " }), {
      status: 200,
      done: "announced to 3 clients",
    });
    await Promise.all(bots.map((bot) => bot.until(() => bot.session.notice !== undefined)));
    assertEquals(
      bots.map(({ session }) => session.notice?.text),
      new Array(3).fill("We stop at noon ☀"),
    );
    for (const bot of bots) await bot.assertUndisturbed();
    assert(await server.waitForOutput(/operator_announced text="We stop at noon ☀" clients=3/));
  } finally {
    for (const bot of bots) bot.stop();
  }
});

Deno.test("operators: health is the truth about the ticks, and readiness about more players (SPEC 14.16)", async () => {
  const { server, ask } = await startOperated("--rooms", "1");
  await using _ = server;
  const probe = async (path: string) => {
    const answer = await fetch(server.url + path);
    return { status: answer.status, ...await answer.json() };
  };
  assertEquals(await probe("readyz"), { status: 200, ready: true, reason: "" });

  // A bot joins at once, so it is made after the probe of an empty server.
  const bot = new HonestBot(server.url, { name: "Wren", seed: 1 });

  try {
    await bot.until(() => bot.isPlaying);
    assertEquals(await probe("readyz"), {
      status: 503,
      ready: false,
      reason: "all rooms are open",
    });
    const before = await probe("healthz");
    assertEquals([before.status, before.ok, before.accepts, before.rooms], [200, true, true, 1]);
    server.signal("SIGSTOP");
    const { head } = bot.session;
    await bot.until(() => bot.session.head >= head + 20);
    server.signal("SIGCONT");
    assert(await server.waitForOutput(/ticks_dropped/));
    const after = await probe("healthz");
    assertEquals([after.status, after.ok], [503, false]);
    assertGreater(0.95, after.tickShare);
    const metrics = await (await ask("metrics")).text();
    assertMatch(metrics, /^wyvern_ready 0$/m);
    assertMatch(metrics, /^wyvern_stalled_seconds_total (0\.[5-9]|[1-9])/m);
    // Five seconds later all of the ticks that count have run.
    let status = 503;
    await bot.until(() => {
      if (status !== 200) void probe("healthz").then((health) => status = health.status);
      return status === 200;
    });
    assertEquals(bot.session.closeCode, 0);
  } finally {
    bot.stop();
  }
});

Deno.test("operators: a public server shows its figures to operators alone, and has no seed (SPEC 14.14)", async () => {
  await using publicServer = await PublicServer.start(["--ops-port", "0"]);
  const { server, ask } = await operated(publicServer.server);
  assertEquals((await fetch(`${server.url}metrics`)).status, 404);
  assertEquals((await fetch(`${server.url}healthz`)).status, 200);
  assertMatch(
    await (await ask("metrics")).text(),
    /^wyvern_build_info\{protocol="\d+",deno="[\d.]+"\} 1$/m,
  );
  assert(!server.stdout.includes("; seed "), server.stdout);
});

Deno.test("operators: a link shows a room once, without a seat, and a stranger cannot make one (SPEC 14.25)", async () => {
  await using publicServer = await PublicServer.start(["--ops-port", "0"]);
  const { server, url, act } = await operated(publicServer.server);
  const { origin } = publicServer;
  const request = {
    gameId: dragonGame.id,
    room: "BOTS",
    name: "Wren",
    spectate: false,
    key: "A".repeat(22),
  };
  const open = () => openNodeWebSocketLink(joinedSocketUrl(origin, request));
  const bot = new HonestBot(server.url, { name: "Wren", seed: 1, open });

  try {
    await bot.until(() => bot.isPlaying);
    const command = await fetch(`${url}api/ops/watch`, {
      method: "POST",
      body: '{"game": "dragons", "room": "BOTS"}',
    });
    assertEquals(command.status, 401);
    const { status, done, link } = await act("watch", { game: "dragons", room: "BOTS" });
    assertEquals([status, done], [200, "a link for one use within 45 s:"]);
    const [, room, ticket] = /#([A-Z]+)\.(.+)$/.exec(link)!;
    assertEquals(link, `${origin}/watch#${room}.${ticket}`);
    const path = `/socket?ticket=${ticket}`;
    const stranger = await Stranger.upgrade(server.port, { path });
    stranger.send({ ...HELLO, room: "BOTS", spectate: true });
    await stranger.until(() => stranger.ticks.length > 0 || stranger.closeInfo !== undefined);
    assertEquals([stranger.status, stranger.welcome?.seat, stranger.ticks.length > 0], [
      101,
      undefined,
      true,
    ]);
    assertEquals((await Stranger.upgrade(server.port, { path })).status, 403);
    assert(await server.waitForOutput(/operator_watches game=dragons room=BOTS/));
    assert(await server.waitForOutput(/joined room=BOTS .* operator=true/));
    stranger.cut();
    await bot.assertUndisturbed();
  } finally {
    bot.stop();
  }
});
