/**
 * Hostile clients against a live server, while honest bots play in the same room. Each violation
 * gets the answer that SPEC.md names, and nobody else notices it.
 *
 * Cases that are tested elsewhere or cannot occur:
 * - A command for another seat: a command message has no seat.
 * - An unknown room code: it opens a room.
 * - 1011 and 4007 answer errors of the server (http/websocket_test, rooms_test).
 * - 4005 needs four megabytes of unread ticks, hours of play (slow_reader_test).
 */
import type { DragonCommand } from "../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../shared/games/dragons/game.ts";
import {
  assert,
  assertEquals,
  assertGreater,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { HonestBot } from "../support/honest_bot.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { commandOf, Stranger } from "../support/sockets/stranger.ts";
import {
  FRAMES,
  HELLOS,
  MESSAGES,
  randomBytes,
  type Violation,
} from "../support/sockets/violations.ts";

const IDLE: DragonCommand = dragonGame.command.neutral;
const LEFT: DragonCommand = { ...IDLE, dir: -1 };
const RIGHT: DragonCommand = { ...IDLE, dir: 1 };

/** The server under test and the honest bots on it. */
interface TestServer {
  readonly server: ServerProcess;
  readonly port: number;
  readonly bots: readonly HonestBot[];
}

async function assertViolation(
  { port, bots }: TestServer,
  { after, hello, commit, code, reason }: Violation,
): Promise<void> {
  const stranger = after === "join"
    ? await Stranger.join(port, hello)
    : await Stranger.upgrade(port);
  assertEquals(stranger.closeInfo, undefined, "not closed before the violation");
  commit(stranger);
  const closeInfo = await stranger.ended();
  stranger.cut();
  assertEquals(closeInfo.code, code, closeInfo.reason);
  assertMatch(closeInfo.reason, reason);
  await assertUndisturbed(bots);
}

async function assertUndisturbed(bots: readonly HonestBot[]): Promise<void> {
  await Promise.all(bots.map((bot) => bot.assertUndisturbed()));
}

/** The commands of `seat` for `tick` that the client has received. */
function announced(
  { ticks }: Stranger,
  { seat, tick }: { seat: number; tick: number },
): DragonCommand[] {
  return ticks.flatMap(({ announcements }) => announcements)
    .filter((each) => each.seat === seat && each.tick === tick).map((each) => each.command);
}

/** Commands in valid messages that are not taken. They cost the client nothing but the command. */
async function assertCommands({ port, bots }: TestServer): Promise<void> {
  const stranger = await Stranger.join(port);
  const seat = stranger.welcome!.seat!;
  const first = commandOf(stranger, { command: LEFT });
  const { tick } = first;
  stranger.send(first);
  stranger.send(first); // repeated
  stranger.send({ ...first, command: RIGHT }); // changed
  const late = tick - 40;
  const far = tick + 1_000;
  const farthest = 2 ** 31 - 1;
  for (const wrong of [late, far, farthest]) stranger.send(commandOf(stranger, { tick: wrong }));
  await stranger.until(() => stranger.tick >= tick + 2 || stranger.closeInfo !== undefined);
  assertEquals(stranger.closeInfo, undefined);
  assertEquals(
    announced(stranger, { seat, tick }),
    [LEFT],
    "the first command counts and is announced once",
  );
  for (const wrong of [late, far, farthest]) {
    assertEquals(announced(stranger, { seat, tick: wrong }), []);
  }
  const ticks = stranger.ticks.map(({ tick }) => tick);
  assertEquals(
    ticks,
    ticks.map((_, i) => ticks[0]! + i),
    "the client's own ticks have no gap either",
  );
  await assertUndisturbed(bots);
  await stranger.leave();
}

/** Names are shown without characters that could turn, hide or fake the text around them. */
async function assertNames({ port, bots }: TestServer): Promise<void> {
  const stranger = await Stranger.join(port, {
    name: "\u202eevil\u0000\u2066\u0007 \u001b[31mred",
  });
  const seat = stranger.welcome!.seat!;
  stranger.send(commandOf(stranger));
  // An earlier player's name may be shown on the seat for a while.
  await Promise.all(
    bots.map((bot) => bot.until(() => bot.session.names.get(seat) === "evil [31mred")),
  );
  await stranger.leave();
  await assertUndisturbed(bots);
}

/** Nobody gets a seat by guessing a token. A client that has the token closes the older link. */
async function assertTokens({ port, bots }: TestServer): Promise<void> {
  const owner = await Stranger.join(port);
  const guesser = await Stranger.join(port, { resume: "0123456789abcdef0123456789abcdef" });
  const seats = new Set([owner, guesser].map(({ welcome }) => welcome!.seat));
  for (const bot of bots) seats.add(bot.session.seat);
  assertEquals(seats.size, 2 + bots.length, "all seats differ");
  const second = await Stranger.join(port, { resume: owner.welcome!.resume });
  assertEquals((await owner.ended()).code, 4009);
  assertEquals(second.welcome!.seat, owner.welcome!.seat);
  await Promise.all([guesser, second].map((stranger) => stranger.leave()));
  await assertUndisturbed(bots);
}

/** A room has sixteen seats. */
async function assertFullRoom({ port, bots }: TestServer): Promise<void> {
  const players = await Promise.all(
    Array.from({ length: 16 }, () => Stranger.join(port, { room: "FULL" })),
  );
  assertEquals(new Set(players.map(({ welcome }) => welcome?.seat)).size, 16);
  const seventeenth = await Stranger.join(port, { room: "FULL" });
  assertEquals(await seventeenth.ended(), { code: 4004, reason: "room FULL is full" });
  seventeenth.cut();
  await Promise.all(players.map((player) => player.leave()));
  await assertUndisturbed(bots);
}

/** Random bytes in place of a hello. None of these is a hello by chance. */
async function assertRandomBytes({ port, bots }: TestServer): Promise<void> {
  for (let seed = 1; seed <= 20; seed++) {
    const stranger = await Stranger.upgrade(port);
    const bytes = randomBytes(1 + seed * 7, seed);
    bytes[0] = bytes[0]! | 1; // else it could be a hello of another version, which closes with 4001
    stranger.frame(bytes);
    assertEquals((await stranger.ended()).code, 4000, `seed ${seed}`);
    stranger.cut();
  }
  await assertUndisturbed(bots);
}

/** The HTTP answers before there is a socket. */
async function assertHttp({ port, bots }: TestServer): Promise<void> {
  const cases = [
    [{ headers: ["Origin: http://evil.example"] }, 403],
    [{ path: "/" }, 404],
    [{ headers: ["Sec-WebSocket-Version: 7"] }, 400],
  ] as const;
  for (const [request, status] of cases) {
    const stranger = await Stranger.upgrade(port, request);
    assertEquals(stranger.status, status);
    await stranger.ended();
    stranger.cut();
  }
  await assertUndisturbed(bots);
}

/**
 * Opens connections that send nothing, or half a header. They wait while other violations are
 * tried.
 * @returns a check that the server has closed them
 */
async function openSilent(port: number) {
  const silent = await Stranger.upgrade(port);
  const halfOpen = await Promise.all(Array.from({ length: 40 }, () => Stranger.connect(port)));
  for (const stranger of halfOpen) {
    stranger.write("GET /socket HTTP/1.1\r\nHost: localhost\r\nX-Slow:");
  }
  return async ({ bots }: TestServer) => {
    for (const stranger of halfOpen) {
      await stranger.ended();
      assertStringIncludes(stranger.http, "HTTP/1.1 408 ");
    }
    assertEquals(await silent.ended(), { code: 4008, reason: "no hello" });
    for (const stranger of [silent, ...halfOpen]) stranger.cut();
    await assertUndisturbed(bots);
  };
}

/**
 * 300 sockets at once from one address: some are admitted, the others get 429, and other addresses
 * still get in.
 */
async function assertSocketFlood({ server, port, bots }: TestServer): Promise<void> {
  const upgrades = Array.from({ length: 300 }, () => Stranger.upgrade(port));
  const newcomer = new HonestBot(server.url, { name: "newcomer", seed: 9, room: "LATE" });
  const strangers = await Promise.all(upgrades);
  const refused = strangers.filter(({ status }) => status === 429);
  assertGreater(refused.length, 100);
  assertEquals(
    strangers.filter(({ status }) => status === 101).length,
    strangers.length - refused.length,
  );
  for (const stranger of refused) {
    await stranger.ended();
    assertStringIncludes(stranger.http, "too many new connections from your address");
  }
  await newcomer.until(() => newcomer.isPlaying);
  await newcomer.assertUndisturbed();
  newcomer.stop();
  for (const stranger of strangers) stranger.cut();
  await assertUndisturbed(bots);
  const metrics = await (await fetch(`${server.url}metrics`)).text();
  assertStringIncludes(metrics, `wyvern_refusals_total{cause="rate"} ${refused.length}\n`);
}

/** The server's metrics have every close under its code. */
async function assertCounted({ server }: TestServer): Promise<void> {
  const metrics = await (await fetch(`${server.url}metrics`)).text();
  const codes = [
    ...metrics.matchAll(
      /^wyvern_closes_total\{by="server",code="(\d+)",transport="websocket"\} /gm,
    ),
  ].map((
    [, code],
  ) => Number(code));
  const expected = [1002, 1003, 1008, 1009, 4000, 4001, 4002, 4003, 4004, 4006, 4008, 4009];
  assertEquals(codes.toSorted((a, b) => a - b), expected);
  assert(!/stray_error|tick_failed|room_failed|link_failed/.test(server.stdout), server.stdout);
}

Deno.test("server: hostile clients affect no honest player (SPEC 1.5, 1.6, 1.15, 1.16, 3.13, 3.14, 7.4, 8.1, 8.2, 8.3, 8.12, 8.13)", async (t) => {
  await using server = await ServerProcess.start("--seed", "11");
  const bots = [1, 2, 3].map((seed) => new HonestBot(server.url, { name: `honest ${seed}`, seed }));
  const testServer: TestServer = { server, port: server.port, bots };
  await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
  const silentAnswered = await openSilent(server.port);

  for (const violation of [...FRAMES, ...HELLOS, ...MESSAGES]) {
    await t.step(
      `${violation.name}: ${violation.code}`,
      () => assertViolation(testServer, violation),
    );
  }

  await t.step(
    "commands late, far ahead, at 2^31, repeated and changed: not taken, the link stays",
    () => assertCommands(testServer),
  );
  await t.step("control and bidi characters in a name", () => assertNames(testServer));
  await t.step("seat tokens: guessed, and used twice (4009)", () => assertTokens(testServer));
  await t.step("a seventeenth player: 4004", () => assertFullRoom(testServer));
  await t.step("random bytes for a hello: 4000", () => assertRandomBytes(testServer));
  await t.step("before the upgrade: 400, 403, 404", () => assertHttp(testServer));
  await t.step("half a header: 408; no hello: 4008", () => silentAnswered(testServer));
  await t.step("300 sockets at once: 429", () => assertSocketFlood(testServer));
  await t.step(
    "every close is counted, nothing in the server failed",
    () => assertCounted(testServer),
  );
  await t.step("the server stops: 1001", async () => {
    const { code, stderr } = await server.stop();
    await Promise.all(bots.map((bot) => bot.until(() => false)));
    assertEquals(bots.map(({ session }) => session.closeCode), [1001, 1001, 1001]);
    assertEquals([code, stderr], [0, ""]);
    for (const bot of bots) bot.stop();
  });
});
