/**
 * Results and replays of a server of several match processes: the gateway has those of all.
 */
import { assertEquals, assertGreater } from "@std/assert";
import { pathToFileURL } from "node:url";
import { joinedSocketUrl } from "../../../client/net/join.ts";
import { openNodeWebSocketLink } from "../../../client/net/node_websocket_link.ts";
import { Session } from "../../../client/session/session.ts";
import { RandomCounterControls } from "../../tools/lab/random_controls.ts";
import { ROUND_TICKS, roundsGame } from "../../tools/lab/results/rounds_game.ts";
import { TemporaryData } from "../../support/logs/temporary_data.ts";
import { ServerProcess } from "../../support/servers/server_process.ts";

const SCRIPT = new URL("../stop/rounds_server.ts", import.meta.url);
const FRAME_MS = 16;
const POLL_MS = 50;
const ROOMS = ["CROW", "DOVE"];
const clock = { now: () => performance.now() };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Plays in a room to the end of its first round, and leaves. */
async function playRound(origin: string, room: string): Promise<void> {
  const request = { gameId: roundsGame.id, room, name: room, spectate: false };
  const session = new Session({
    game: roundsGame,
    clock,
    room,
    name: room,
    commandSource: new RandomCounterControls(1),
    link: openNodeWebSocketLink(joinedSocketUrl(origin, request)),
  });
  while (session.phase !== "closed" && session.definitiveTick < ROUND_TICKS + 1) {
    session.advance();
    await wait(FRAME_MS);
  }
  assertEquals([session.phase, session.closeReason], ["playing", ""]);
  session.close();
}

Deno.test("serve --workers: rounds and matches of all processes are in one list each (SPEC 17.11)", async () => {
  using data = await TemporaryData.make();
  const folder = await Deno.makeTempDir({ prefix: "wyvern_" });
  await Deno.mkdir(`${folder}/counter`);
  await Deno.writeTextFile(`${folder}/counter/index.html`, "<!DOCTYPE html>");
  const flags = ["--npcs", "0", "--workers", "2", "--data", data.folder];
  await using server = await ServerProcess.startScript(
    SCRIPT,
    pathToFileURL(`${folder}/`).href,
    ...flags,
  );
  await Deno.remove(folder, { recursive: true });
  const origin = new URL(server.url).origin;
  const read = async (path: string) => await (await fetch(`${origin}${path}`)).json();
  await Promise.all(ROOMS.map((room) => playRound(origin, room)));
  let results = [];
  let matches = [];
  while (results.length < ROOMS.length || matches.length < ROOMS.length) {
    ({ results } = await read("/api/results"));
    ({ matches } = await read("/api/matches"));
    await wait(POLL_MS);
  }

  assertEquals(results.map(({ room }: { room: string }) => room).sort(), ROOMS);
  assertEquals(matches.map(({ room }: { room: string }) => room).sort(), ROOMS);
  for (const { id } of matches) {
    const log = await fetch(`${origin}/api/matches/${id}/log`);
    assertEquals(log.status, 200);
    assertGreater((await log.arrayBuffer()).byteLength, 100);
  }
});
