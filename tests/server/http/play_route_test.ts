/** `/api/play` of a server whose matchmaker is real, and whose nodes are numbers of players. */
import { assertEquals } from "@std/assert";
import { CloseCode, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { counterGame } from "../../tools/lab/counter_game.ts";
import { openEchoServer } from "../../support/echo_server.ts";
import { PlayCluster } from "../nodes/play_cluster.ts";
import { openEntrance } from "../tickets/entrance.ts";

Deno.test("/api/play: regions to measure, a room, a refusal in words; a server of its own has no such path (SPEC 17.160, 17.161, 17.164)", async () => {
  const { nodes: [node] } = new PlayCluster(["eu", "us"], 1);
  const { admission } = openEntrance();
  const matchmaker = { regions: () => node!.regions, play: node!.play.bind(node) };
  await using server = await openEchoServer({ admission, matchmaker });
  const url = `${server.url}api/play`;
  const post = (body: string) => fetch(url, { method: "POST", body });
  const { regions } = await (await fetch(url)).json();
  assertEquals(regions.map(({ name }: { name: string }) => name), ["eu", "us"]);
  const found = await (await post("{}")).json();
  assertEquals([Object.keys(found), found.server], [["room", "server"], node!.url]);
  const withTicket =
    await (await post(JSON.stringify({ game: counterGame.id, protocol: PROTOCOL_VERSION }))).json();
  assertEquals([withTicket.room, typeof withTicket.ticket], [found.room, "string"]);

  for (
    const [body, status] of [["{", 400], [`{"waitedMs":-1}`, 400], [`{"game":"other"}`, 404], [
      " ".repeat(5_000),
      413,
    ]] as const
  ) {
    const answer = await post(body);
    assertEquals(answer.status, status);
    if (status === 400) assertEquals((await answer.json()).code, CloseCode.protocol);
    else await answer.body?.cancel();
  }

  const foreign = await fetch(url, {
    method: "POST",
    body: "{}",
    headers: { Origin: "http://elsewhere.example" },
  });
  assertEquals(foreign.status, 403);
  await foreign.body?.cancel();

  await using alone = await openEchoServer({ admission });
  for (const method of ["GET", "POST"]) {
    const answer = await fetch(`${alone.url}api/play`, { method });
    assertEquals(answer.status, method === "GET" ? 404 : 405);
    await answer.body?.cancel();
  }
});
