/**
 * Attacks by customers with many addresses, and by many requests at once, which try to take others'
 * shares.
 */
import { assert, assertEquals, assertGreaterOrEqual, assertLessOrEqual } from "@std/assert";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { OPCODE } from "../../../support/sockets/raw_socket.ts";
import { HELLO, type Stranger } from "../../../support/sockets/stranger.ts";
import { type Attack, countsOf, many, until, wait } from "../attack.ts";
import { LOG_IDS } from "../live_server.ts";
import type { Target } from "../target.ts";

/** A server that some addresses can fill on any machine, however busy it is. */
const ROOMS = 40;
const SMALL_SERVER = ["--rooms", `${ROOMS}`, "--tick-load", "100"];
/** The address of a trusted proxy, so that attackers can use IPv6 addresses. */
const PROXY = "127.9.9.9";

/** Room codes that begin with a letter. */
function codes(letter: string, count: number): string[] {
  const letterOf = (n: number) => String.fromCharCode(65 + n);
  return Array.from(
    { length: count },
    (_, i) =>
      letter + letterOf(Math.floor(i / 676)) + letterOf(Math.floor(i / 26) % 26) + letterOf(i % 26),
  );
}

/** Joins from an IPv6 address, as the proxy names it. */
async function joinBy(
  target: Target,
  client: string,
  hello: { room: string; spectate?: boolean },
): Promise<Stranger> {
  const stranger = await target.upgrade(PROXY, { headers: [`X-Forwarded-For: ${client}`] });
  if (stranger.status !== 101) return stranger;
  stranger.send({ ...HELLO, ...hello });
  await stranger.until(() => stranger.ticks.length > 0 || stranger.closeInfo !== undefined);
  return stranger;
}

const codeOf = ({ closeInfo }: Stranger) => closeInfo?.code ?? 0;

/** Players who hold one key forever. */
function idle(players: readonly Stranger[]): void {
  for (const player of players) void player.playUntil(() => false);
}

/**
 * Newcomers from as many addresses, who open a room each and stay.
 * @throws AssertionError if one of them is refused
 */
async function letIn(newcomers: readonly Promise<Stranger>[]): Promise<string> {
  const inside = await Promise.all(newcomers);
  const beganMs = performance.now();
  assertEquals(countsOf(inside.map(codeOf)), `${inside.length} × 0`, "newcomers");
  await Promise.all(inside.map((stranger) => stranger.play(20)));
  assertEquals(countsOf(inside.map(codeOf)), `${inside.length} × 0`, "newcomers who play");
  return `${inside.length} newcomers play (${
    Math.round(performance.now() - beganMs)
  } ms for a second)`;
}

async function honestRooms(target: Target): Promise<string> {
  const address = target.newAddress();
  const players = await many(3, (i) => target.join(address, { room: codes("H", 3)[i]! }));
  assertEquals(countsOf(players.map(codeOf)), "3 × 0");
  const watcher = await target.join(address, { room: codes("H", 3)[0]!, spectate: true });
  assertEquals(codeOf(watcher), 0);
  return "3 rooms of one address, and a spectator there: welcome";
}

const tenIdleAddresses: Attack = {
  name: "ten_idle_addresses",
  threat: "W5",
  server: { flags: SMALL_SERVER },
  // Forty matches that are played need their memory.
  tolerates: ["rssGrowthMb"],
  honest: honestRooms,
  async commit(target) {
    const before = (await target.figures()).of("wyvern_rooms");
    const addresses = Array.from({ length: 10 }, () => target.newAddress());
    const empty = codes("W", 200);
    const rooms = codes("T", 200);
    const watchers = await many(
      200,
      (i) => target.join(addresses[i % 10]!, { room: empty[i]!, spectate: true }),
    );
    assertEquals(countsOf(watchers.map(codeOf)), `200 × ${CloseCode.noRoom}`);
    assertLessOrEqual(
      (await target.figures()).of("wyvern_rooms"),
      before + 1,
      "rooms opened by spectators",
    );

    // A flood is another attack, so here each address brings one player at a time.
    const players: Stranger[] = [];

    while (players.length < 200) {
      const from = players.length;
      players.push(
        ...await many(10, (i) => target.join(addresses[i]!, { room: rooms[from + i]! })),
      );
    }

    const joined = countsOf(players.map(codeOf));
    idle(players.filter(({ closeInfo }) => closeInfo === undefined));
    assertGreaterOrEqual((await target.figures()).of("wyvern_rooms"), ROOMS, "the server is full");
    const newcomers = codes("F", 5).map((room) => target.join(target.newAddress(), { room }));
    const entered = await letIn(newcomers);
    const load = (await target.figures()).of("wyvern_tick_load");
    return `200 watchers of 10 addresses: no room; 200 players: ${joined}; then ${entered}, at a load of ${
      Math.round(load * 100)
    } %`;
  },
};

const onePrefix56: Attack = {
  name: "one_prefix_56",
  threat: "W5",
  server: { flags: [...SMALL_SERVER, "--trust-proxy", PROXY, "--upgrades-per-address", "50/5"] },
  // As above.
  tolerates: ["rssGrowthMb"],
  honest: honestRooms,
  async commit(target) {
    const attackerOf = (net: number) => `2001:db8:0:10${net.toString(16).padStart(2, "0")}::1`;
    const players = await many(
      60,
      (i) => joinBy(target, attackerOf(i % 3), { room: codes("P", 60)[i]! }),
    );
    const inside = players.filter((player) => codeOf(player) === 0);
    const joined = countsOf(players.map(codeOf));
    idle(inside);
    assertGreaterOrEqual((await target.figures()).of("wyvern_rooms"), ROOMS, "the server is full");
    const entered = await letIn([
      ...codes("F", 3).map((room) => target.join(target.newAddress(), { room })),
      ...codes("G", 3).map((room, i) => joinBy(target, `2001:db8:${i + 1}::1`, { room })),
    ]);

    // Watchers alone do not keep a room that its player has left.
    const host = inside.findLast((player) => codeOf(player) === 0)!;
    const room = codes("P", 60)[players.indexOf(host)]!;
    const keepers = await many(3, (i) => joinBy(target, attackerOf(i), { room, spectate: true }));
    assertEquals(countsOf(keepers.map(codeOf)), "3 × 0", "watchers of a room with a player");
    await host.leave();

    // A pong every five seconds is all that they need to stay connected.
    const pongs = setInterval(() => {
      for (const keeper of keepers) keeper.frame(new Uint8Array(), { opcode: OPCODE.pong });
    }, 5_000);

    try {
      await until(
        "the room of watchers closed",
        () => keepers.every(({ closeInfo }) => closeInfo !== undefined),
        {
          seconds: 45,
        },
      );
    } finally {
      clearInterval(pongs);
    }

    // A newcomer may have taken the room's place before.
    const ends = new Set<number>([CloseCode.noRoom, CloseCode.displaced]);
    assert(keepers.every((keeper) => ends.has(codeOf(keeper))), countsOf(keepers.map(codeOf)));

    // A thousand sockets from a hundred /64: as many as one /56 may open.
    const beganMs = performance.now();
    const statuses = await many(100, async (net) => {
      const own: number[] = [];
      for (let i = 0; i < 10; i++) {
        const stranger = await target.upgrade(PROXY, {
          headers: [`X-Forwarded-For: ${attackerOf(100 + net)}`],
        });
        own.push(stranger.status);
        stranger.cut();
      }
      return own;
    });
    const admitted = statuses.flat().filter((status) => status === 101).length;
    const admittedMax = 4 * (50 + 5 * (performance.now() - beganMs) / 1000) + 1;
    assertLessOrEqual(admitted, admittedMax, "new sockets of one /56");
    return `60 rooms of three /64: ${joined}; then ${entered}; ` +
      `watchers without a player: ${countsOf(keepers.map(codeOf))}; 1,000 sockets of a /56: ${
        countsOf(statuses.flat())
      }`;
  },
};

/** An operator's action with the right token. @returns its status */
async function rightAction(target: Target): Promise<number> {
  const answer = await target.server.ask("api/ops/kick", {
    method: "POST",
    body: '{"link": 999999}',
  });
  await answer.body?.cancel();
  return answer.status;
}

/** A wrong token, by header or in the form. @returns the status */
async function wrongToken(target: Target, address: string, i: number): Promise<number> {
  const port = target.server.opsPort;
  const options = i % 2 === 0
    ? { method: "POST", path: "/ops/session", port, body: `token=${i}` }
    : {
      method: "POST",
      path: "/api/ops/kick",
      port,
      headers: [`Authorization: Bearer wrong-${i}`],
      body: "{}",
    };
  return (await target.request(address, options)).status;
}

const tokenTrickle: Attack = {
  name: "token_trickle",
  threat: "22",
  isQuick: true,
  async honest(target) {
    assertEquals(await rightAction(target), 404);
    return "a right token acts";
  },
  async commit(target) {
    const addresses = [target.newAddress(), target.newAddress()];
    const wrong = await many(24, (i) => wrongToken(target, addresses[i % 2]!, i));
    const right: number[] = [];
    for (let i = 0; i < 15; i++) {
      right.push(await rightAction(target));
      wrong.push(await wrongToken(target, addresses[i % 2]!, i));
      await wait(500);
    }
    assertEquals(countsOf(right), "15 × 404", "commands with the right token");
    assert(wrong.every((status) => status === 401 || status === 429), countsOf(wrong));
    // An address keeps its own share, even if two others use up theirs.
    const others = await many(3, (i) => wrongToken(target, target.newAddress(), i));
    return `${wrong.length} wrong tokens: ${countsOf(wrong)}; 15 right commands meanwhile: ${
      countsOf(right)
    }; ` +
      `wrong ones of others: ${countsOf(others)}`;
  },
};

const archiveHogs: Attack = {
  name: "archive_hogs",
  threat: "7",
  server: { hasLongLogs: true },
  async honest(target) {
    // The first list reads all logs, which on a busy machine may take longer than an answer may
    // take.
    let text = "";
    await until("a list", async () => {
      const answer = await target.request(target.newAddress(), { path: "/api/matches" });
      text = answer.text;
      return answer.status === 200;
    }, { seconds: 60 });
    const log = await target.request(target.newAddress(), {
      path: `/api/matches/${LOG_IDS[0]}/log`,
    });
    assertEquals(log.status, 200);
    return `a list of ${text.split('"id"').length - 1} matches, and a log of ${
      Math.round(log.text.length / 1e5) / 10
    } MB`;
  },
  async commit(target) {
    const pathOf = (i: number) => `/api/matches/${LOG_IDS[i % LOG_IDS.length]}/log`;
    const text = (i: number) =>
      `GET ${pathOf(i)} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\nConnection: close\r\n\r\n`;
    const few = Array.from({ length: 4 }, () => target.newAddress());
    const one = target.newAddress();
    const hogs = await many(48, (i) => target.connect(i < 24 ? one : few[i % 4]!));
    for (const [i, hog] of hogs.entries()) {
      hog.write(text(i));
      // Half of them read nothing at all.
      if (i % 2 === 0) hog.pause();
    }

    const lists: number[] = [];
    const logMs: number[] = [];
    const beganMs = performance.now();

    for (let i = 0; i < 16; i++) {
      lists.push((await target.request(target.newAddress(), { path: "/api/matches" })).status);
      if (i % 4 !== 0) continue;
      const fromMs = performance.now();
      const { status } = await target.request(target.newAddress(), { path: pathOf(i) });
      assertEquals(status, 200, "the log that somebody else asks for");
      logMs.push(performance.now() - fromMs);
      for (const [j, hog] of hogs.entries()) {
        if (hog.closeInfo === undefined) continue;
        hogs[j] = await target.connect(j < 24 ? one : few[j % 4]!);
        hogs[j]!.write(text(j));
      }
    }

    assertEquals(countsOf(lists), "16 × 200", "lists");
    const seconds = Math.round((performance.now() - beganMs) / 1000);
    const slowest = Math.round(Math.max(...logMs));
    return `48 requests for logs at a time, for ${seconds} s: 16 lists ${
      countsOf(lists)
    }; others' logs within ${slowest} ms`;
  },
};

export const FAIRNESS_ATTACKS: readonly Attack[] = [
  tenIdleAddresses,
  onePrefix56,
  tokenTrickle,
  archiveHogs,
];
