/** Matches that a real server only orders, with real sockets and the referee in its thread. */
import { assert, assertEquals, assertGreater, assertThrows } from "@std/assert";
import { openNodeWebSocketLink } from "../../client/net/node_websocket_link.ts";
import { joinedSocketUrl } from "../../client/net/join.ts";
import { Bot } from "../../client/games/dragons/bot.ts";
import { Session } from "../../client/session/session.ts";
import { parseSettings } from "../../server/settings/settings.ts";
import { UsageError } from "../../shared/flags.ts";
import { dragonGame } from "../../shared/games/dragons/game.ts";
import { withOtherStates } from "../support/other_states.ts";
import { ReturningBot } from "../support/returning_bot.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { TemporaryData } from "../support/logs/temporary_data.ts";
import { metricsOf, sumOf } from "../tools/bench/match/server_readings.ts";

/** A player whose page computes another match, until the server has sent it away. */
async function playWrong(url: string, room: string): Promise<number> {
  const request = new AbortController();
  const clock = { now: () => performance.now() };
  const bot = new Bot(9);
  const joining = { gameId: dragonGame.id, room, name: "Liar", spectate: false, resume: undefined };
  const socketUrl = joinedSocketUrl(new URL(url).origin, { ...joining, signal: request.signal });
  const session = new Session({
    game: withOtherStates(dragonGame),
    link: openNodeWebSocketLink(socketUrl, request),
    clock,
    room,
    name: "Liar",
    commandSource: bot,
  });
  bot.attach(session);
  while (session.phase !== "closed") {
    session.advance();
    await new Promise((resolve) => setTimeout(resolve, 8));
  }
  return session.closeCode;
}

Deno.test("serve --authority order: players have one match, and one who computes something else is named and leaves (SPEC 24.1, 24.5, 24.7, 24.13)", async () => {
  using data = await TemporaryData.make();
  await using server = await ServerProcess.start(
    ...["--authority", "order", "--verify", "all", "--data", data.folder],
  );
  const bots = [1, 2].map((seed) =>
    new ReturningBot(server.url, { name: `Bot ${seed}`, seed, room: "ORDR" })
  );
  try {
    await Promise.all(bots.map((bot) => bot.untilPlayed(60)));
    assertEquals(await playWrong(server.url, "ORDR"), 4019);
    const named = await server.waitForNth(/match_differs .*name=Liar .*lies=\d/g, 3);
    assert(named !== undefined);

    await Promise.all(bots.map((bot) => bot.untilPlayed(40)));
    const [one, other] = bots.map(({ hashes }) => hashes);
    const common = [...one!.keys()].filter((tick) => other!.has(tick));
    assertGreater(common.length, 60);
    for (const tick of common) assertEquals(one!.get(tick), other!.get(tick), `tick ${tick}`);
    assert(!/match_differs .*name="?Bot/.test(server.stdout));
    assertEquals(sumOf(await metricsOf(server.url), "wyvern_rooms_ordered"), 1);
  } finally {
    for (const bot of bots) bot.stop();
  }
});

Deno.test("parseSettings: --authority is one for all games or by their names, and excludes --stream state (SPEC 24.12)", () => {
  const parse = (...args: string[]) => parseSettings(args, ["dragons", "puck"]);
  const authorityOf = (...args: string[]) => {
    const settings = parse(...args);
    return settings === "help" ? settings : settings.authority;
  };
  assertEquals(authorityOf(), undefined);
  assertEquals(authorityOf("--authority", "order"), "order");
  assertEquals(authorityOf("--authority", "puck=order"), { puck: "order" });
  for (const wrong of ["nobody", "puck=order,puck=full", "haul=order"]) {
    assertThrows(() => parse("--authority", wrong), UsageError, "--authority");
  }
  assertThrows(
    () => parse("--authority", "puck=order", "--stream", "state"),
    UsageError,
    "excludes --stream state",
  );
});
