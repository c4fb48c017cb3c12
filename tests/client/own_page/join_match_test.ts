/** Matches of `wyvern/session` on a real server, by real sockets, without a document. */
import { assert, assertEquals, assertGreater, assertRejects, assertThrows } from "@std/assert";
import { joinMatchIn } from "../../../client/own_page/join_match.ts";
import { joinMatch as joinInBrowser } from "../../../client/package/session.ts";
import { JoinError, joinMatch, listRooms } from "../../../client/package/session_node.ts";
import { GameError } from "../../../shared/game_kit/game_kit.ts";
import { SERVER_MARK } from "../../../shared/netcode/link.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { Proxy } from "../../support/proxy.ts";
import { game } from "./game.ts";
import { drawUntil, ownFields, yardServer, type YardTypes } from "./yard.ts";

Deno.test("joinMatch: two players and NPCs in one room, with rollbacks and without a desync (SPEC 19.9)", async () => {
  await using server = await yardServer("--npcs", "2");
  const network = { rttMs: 120, jitterMs: 10 };
  const ash = await joinMatch({ server: server.url, game, name: "Ash", network });
  // One has sockets of the package `ws`, the other those of the runtime, as in a browser
  const wren = await joinInBrowser({ server: server.url, game, name: "Wren", network });
  try {
    // "Play now" leads to the others
    assertEquals(wren.room, ash.room);
    assertEquals(
      (await listRooms(server.url)).map(({ code, players }) => [code, players]),
      [[ash.room, 2]],
    );

    // They push each other about
    let bumps = 0;
    let frames = 0;
    await drawUntil(ash, ({ definitiveEvents, things, own }) => {
      const dx = frames++ % 20 < 10 ? 1 : -1;
      ash.setInput({ dx });
      wren.setInput({ dx: -dx });
      wren.frame();
      bumps += definitiveEvents.filter(({ kind }) => kind === "bump").length;
      assert(things.every(({ x, y, angle }) => Number.isFinite(x + y + angle)));
      return bumps > 2 && own !== undefined && ash.stats.rollbacks > 3 && ash.stats.ticks > 60;
    });

    assertEquals(ash.players.map(({ name, npc, own }) => [name, npc, own]), [
      ["Ash", false, true],
      ["Wren", false, false],
      ["Bot 1", true, false],
      ["Bot 2", true, false],
    ]);
    for (const { stats, status } of [ash, wren]) {
      assertEquals([stats.desyncs, stats.isInSync, status.phase], [0, true, "playing"]);
      assertGreater(stats.resimulatedTicks, 0);
      assertGreater(stats.pingMs, 100);
    }
  } finally {
    ash.leave();
    wren.leave();
  }
  assertEquals(ash.status, { phase: "ended", text: "", code: 0 });
});

Deno.test("Match.setInput: each part reaches the server, and each press once (SPEC 19.10)", async () => {
  await using server = await yardServer("--npcs", "0");
  const match = await joinMatch({ server: server.url, game, room: "PART", input: { side: "red" } });
  try {
    await drawUntil(match, (frame) => ownFields(frame, match) !== undefined);
    match.setInput({ gear: 3, look: 2, brake: true });

    // Three presses at once, and then one that is held for long
    for (const dash of [true, false, true, false, true, false]) match.setInput({ dash });
    await drawUntil(match, (frame) => ownFields(frame, match)?.dashes === 3);
    let held = 0;
    await drawUntil(match, (frame) => {
      match.setInput({ dash: true });
      held += Number(ownFields(frame, match)!.dashes === 4);
      return held > 60;
    });

    const { dashes, gear, isBraking, look, side } = ownFields(match.frame(), match)!;
    assertEquals([dashes, gear, isBraking, side], [4, 3, 1, "red"]);
    assert(Math.abs(look - 2) < 0.03);

    // A tap between two ticks moves the disc, too
    const { x } = match.frame().own!;
    match.setInput({ dx: 1 });
    match.setInput({ dx: 0 });
    await drawUntil(match, ({ own }) => Math.abs(own!.x - x) > 0.001);

    assertThrows(
      () => match.setInput({ dx: 1, jmp: true } as never),
      GameError,
      '"jmp" is no part of the command: dx, dy, dash, brake, gear, look, side',
    );
    assertThrows(() => match.setInput({ dx: NaN }), GameError, "it takes a finite number");
    assertThrows(() => match.setInput({ side: "green" } as never), GameError, "blue, red");
  } finally {
    match.leave();
  }
});

Deno.test("Match.frame: each event is in one frame, and `gone` names what is there no more (SPEC 19.11)", async () => {
  await using server = await yardServer("--npcs", "3");
  const match = await joinMatch({ server: server.url, game, network: { rttMs: 80 } });
  try {
    const keys = new Set<string>();
    const shown = new Map<number, string>();
    let sparksGone = 0;
    let frames = 0;
    await drawUntil(match, ({ events, things, gone }) => {
      match.setInput({ dash: frames++ % 12 < 6 });
      for (const { key } of events) {
        assert(!keys.has(key), `${key} came twice`);
        keys.add(key);
      }
      for (const id of gone) {
        if (shown.get(id) === "spark") sparksGone++;
        assert(shown.delete(id), `${id} was not shown`);
      }
      for (const { id, name } of things) shown.set(id, name);
      // With the gone ones removed, what is left is what is there
      assertEquals([...shown.keys()].sort(), things.map(({ id }) => id).sort());
      return sparksGone > 3 && keys.size > 20;
    });
  } finally {
    match.leave();
  }
});

Deno.test("Match: a lost connection comes back to its seat, and says so (SPEC 19.12)", async () => {
  await using server = await yardServer("--npcs", "0");
  await using proxy = new Proxy(server.port);
  const match = await joinMatch({ server: `http://127.0.0.1:${proxy.port}/`, game, room: "BACK" });
  const said: string[] = [];
  match.onStatus(({ phase, text }) => said.push(`${phase}: ${text}`));
  try {
    const { seat, seatToken } = match;
    match.setInput({ dash: true });
    await drawUntil(match, (frame) => ownFields(frame, match)?.dashes === 1);
    await proxy.cut();
    await drawUntil(match, () => match.status.phase === "reconnecting");

    // The last frame stays, and shows no event again
    const { things, events, definitiveEvents, gone } = match.frame();
    assertEquals([things.length, events, definitiveEvents, gone], [2, [], [], []]);

    proxy.mend();
    await drawUntil(
      match,
      (frame) => match.status.phase === "playing" && ownFields(frame, match)?.dashes === 1,
    );
    assertEquals([match.seat, match.stats.reconnects], [seat, 1]);
    assert(match.seatToken !== seatToken);
    assert(said.some((line) => line.startsWith("reconnecting: Connection lost.")), said.join("\n"));
  } finally {
    match.leave();
  }
});

Deno.test("joinMatch: what cannot be joined is a sentence, in bounded time (SPEC 19.13)", async () => {
  await using server = await yardServer("--npcs", "0");
  const refusals = [
    [{ room: "AB" }, CloseCode.roomCode, "A room is four letters, A to Z."],
    [{ game: { ...game, id: "other-1" } }, CloseCode.game, "play different games"],
  ] as const;
  for (const [options, code, words] of refusals) {
    const error = await assertRejects(
      () => joinMatch<YardTypes>({ server: server.url, game, ...options }),
      JoinError,
      words,
    );
    assertEquals(error.code, code);
  }

  // Nobody answers at this port once the server is gone
  await server.stop("SIGKILL");
  const said = await assertRejects(
    () => joinMatchIn<YardTypes>({ joinMsMax: 1500 }, { server: server.url, game, room: "NONE" }),
    JoinError,
    "The server does not answer.",
  );
  assertEquals(said.code, 1006);
  const reason = new Error("changed my mind");
  const abort = new AbortController();
  const joining = joinMatch({ server: server.url, game, signal: abort.signal });
  abort.abort(reason);
  assertEquals(await joining.catch((error) => error), reason);

  // Authors' mistakes are found before anything is sent
  await assertRejects(() => joinMatch({ server: "play", game }), TypeError, 'server is "play"');
  await assertRejects(
    () =>
      joinMatch<YardTypes>({ server: server.url, game, roomOptions: { size: "huge" as never } }),
    TypeError,
    "size is one of small, large",
  );
});

Deno.test("joinMatch: a server that sends nonsense ends this match with a sentence (SPEC 19.14)", async () => {
  const ticket = { ticket: "a.b", server: "" };
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    if (request.method === "POST") {
      return Response.json(ticket, { headers: { [SERVER_MARK]: String(PROTOCOL_VERSION) } });
    }
    if (request.headers.get("upgrade") !== "websocket") return Response.json({ rooms: "none" });
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = () => socket.readyState === 1 && socket.send(new Uint8Array(64).fill(255));
    return response;
  });
  try {
    const error = await assertRejects(
      () => joinMatch({ server: `http://127.0.0.1:${http.addr.port}/`, game }),
      JoinError,
    );
    assertEquals(error.code, CloseCode.protocol);
    assert(/\.$/.test(error.message), error.message);
  } finally {
    await http.shutdown();
  }
});

Deno.test("joinMatch: rules that throw end this match with their words, and no other (SPEC 19.14)", async () => {
  await using server = await yardServer("--npcs", "0");
  const failing: typeof game = {
    ...game,
    start(options, seed) {
      const simulation = game.start(options, seed);
      const step = simulation.step.bind(simulation);
      simulation.step = (commands) => {
        if (isPlanted) throw new Error("planted");
        step(commands);
      };
      return simulation;
    },
  };
  let isPlanted = false;
  const other = await joinMatch({ server: server.url, game, room: "RULE" });
  const match = await joinMatch({ server: server.url, game: failing, room: "RULE" });
  try {
    match.frame();
    isPlanted = true;
    await drawUntil(match, () => match.status.phase === "ended");
    assertEquals(match.status.text, "The game failed on this page: planted");
    assertEquals((match.status.error as Error).message, "planted");
    assertEquals(match.frame().events, []);

    const { ticks } = other.stats;
    await drawUntil(other, () => other.stats.ticks > ticks + 20);
    assertEquals([other.status.phase, other.stats.desyncs], ["playing", 0]);
  } finally {
    match.leave();
    other.leave();
  }
});
