/** A full server gives newcomers the places of those who hold most, on real sockets. */
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { assertEquals } from "@std/assert";
import { Rooms } from "../../server/rooms/rooms.ts";
import { DEFAULT_LIMITS, type Limits } from "../../server/settings/limits.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { openEchoServer } from "../support/echo_server.ts";
import { seededSecret } from "../support/seeded_secret.ts";
import { HELLO, Stranger } from "../support/sockets/stranger.ts";

/** Ticks of two seconds. */
const PLAYED_TICKS = 40;

/**
 * Rooms behind real sockets. Its ticks run when the test says so, on a clock on which they take no
 * time.
 */
async function openFullServer(given: Partial<Limits>) {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const limits = { ...DEFAULT_LIMITS, ...given };
  const games = { dragons: dragonGame };
  const secret = seededSecret(3);
  const log = () => {};
  const rooms: Rooms<unknown> = new Rooms<unknown>({
    games,
    clock,
    npcs: 0,
    secret,
    stream: "commands",
    limits,
    log,
  });
  const server = await openEchoServer({
    admit: (link, peer) => rooms.admit(link, peer),
    activeLinks: () => rooms.activeLinks(),
    limits,
    proxies: ["127.0.0.0/8"],
  });

  /** Runs ticks until a condition holds. */
  const until = async (condition: () => boolean) => {
    while (!condition()) {
      rooms.tick(clock.nowMs += 50);
      await new Promise((resolve) => setTimeout(resolve));
    }
  };

  /** Joins from an address that a proxy names, and plays on. */
  const join = async (client: string, room: string, { spectate = false } = {}) => {
    const stranger = await Stranger.upgrade(server.port, {
      headers: [`X-Forwarded-For: ${client}`],
    });
    assertEquals(stranger.status, 101);
    stranger.send({ ...HELLO, room, spectate });
    await until(() => stranger.ticks.length > 0 || stranger.closeInfo !== undefined);
    if (!spectate) void stranger.playUntil(() => false);
    return stranger;
  };
  const play = (strangers: readonly Stranger[]) =>
    until(() =>
      strangers.every(({ ticks, closeInfo }) =>
        ticks.length > PLAYED_TICKS || closeInfo !== undefined
      )
    );
  return { server, rooms, until, join, play };
}

const codeOf = ({ closeInfo }: Stranger) => closeInfo?.code ?? 0;

Deno.test("server: three /64 of one /56 fill the rooms, and newcomers of other networks come in (SPEC 7.22, 14.42)", async () => {
  const { server, join, play, until } = await openFullServer({ rooms: 6 });
  await using _ = server;
  const early = await join("2001:db8:0:101::1", "WAIT", { spectate: true });
  assertEquals([codeOf(early), early.closeInfo?.reason], [
    CloseCode.noRoom,
    "nobody plays in room WAIT",
  ]);

  const holders: Stranger[] = [];
  for (const [i, room] of ["AAAA", "AAAB", "AAAC", "AAAD", "AAAE", "AAAF"].entries()) {
    holders.push(await join(`2001:db8:0:10${i % 3}::1`, room));
  }
  assertEquals(holders.map(codeOf), Array(6).fill(0));
  const displaced = () => holders.filter((holder) => codeOf(holder) === CloseCode.displaced).length;
  holders.push(await join("2001:db8:0:109::1", "AAAG"));
  await until(() => displaced() === 1);
  assertEquals(codeOf(holders[6]!), 0, "a fourth /64 gets its share of what its /56 has");

  const newcomers: Stranger[] = [];

  for (
    const [client, room] of [["2001:db8:1:100::1", "BBBA"], ["192.0.2.1", "BBBB"], [
      "198.51.100.1",
      "BBBC",
    ]]
  ) {
    newcomers.push(await join(client!, room!));
  }

  await play(newcomers);
  assertEquals(newcomers.map(codeOf), [0, 0, 0]);
  await until(() => displaced() === 4);
  const further = await join("203.0.113.1", "BBBD");
  assertEquals(codeOf(further), 0, "three rooms are two more than none");
  assertEquals(
    codeOf(await join("203.0.113.1", "BBBE")),
    CloseCode.busy,
    "and two are not two more than one",
  );
  for (const stranger of [...holders, ...newcomers, further]) stranger.cut();
});

Deno.test("server: idle spectators of two addresses take all sockets, and somebody else comes in (SPEC 14.42)", async () => {
  const { server, join, play, until } = await openFullServer({ sockets: 12 });
  await using _ = server;
  const host = await join("192.0.2.1", "HOST");
  const idle: Stranger[] = [];
  for (let i = 0; i < 11; i++) {
    idle.push(await join(`203.0.${i % 2}.1`, "HOST", { spectate: true }));
  }
  assertEquals([codeOf(host), ...idle.map(codeOf)], Array(12).fill(0));
  const newcomer = await join("198.51.100.1", "HOST");
  await play([newcomer]);
  await until(() => idle.some(({ closeInfo }) => closeInfo !== undefined));
  assertEquals([codeOf(newcomer), codeOf(host)], [0, 0]);
  assertEquals(idle.map(codeOf).filter((code) => code !== 0), [CloseCode.displaced]);
  for (const stranger of [host, newcomer, ...idle]) stranger.cut();
});

Deno.test("server: who has lost the place to somebody else cannot return to the seat (SPEC 14.42)", async () => {
  const { server, join, play, until } = await openFullServer({ rooms: 2 });
  await using _ = server;
  const holders = [await join("192.0.2.1", "AAAA"), await join("192.0.2.1", "AAAB")];
  await play(holders);
  const newcomer = await join("198.51.100.1", "BBBA");
  await until(() => holders.some((holder) => codeOf(holder) === CloseCode.displaced));
  const loser = holders.find((holder) => codeOf(holder) === CloseCode.displaced)!;
  const again = await Stranger.upgrade(server.port, { headers: ["X-Forwarded-For: 192.0.2.1"] });
  again.send({
    ...HELLO,
    room: loser === holders[0] ? "AAAA" : "AAAB",
    resume: loser.welcome!.resume,
  });
  await until(() => again.closeInfo !== undefined || again.welcome !== undefined);
  assertEquals([codeOf(again), codeOf(newcomer)], [CloseCode.busy, 0]);
  for (const stranger of [...holders, newcomer, again]) stranger.cut();
});
