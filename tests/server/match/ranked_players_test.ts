import { assertEquals } from "@std/assert";
import type { TicketClaims } from "../../../server/match/clients/peer.ts";
import { LOCAL_PEER } from "../../../server/match/clients/peer.ts";
import type { RoundOver } from "../../../server/match/round_watch.ts";
import { ROUND_TICKS, roundsGame } from "../../tools/lab/results/rounds_game.ts";
import { commandWith, MatchHarness, type TestClient } from "./match_harness.ts";

/** Who joins from a device. @param account undefined for a client that names none */
function comer(name: string, account: string | undefined) {
  const ticket: TicketClaims = {
    gameId: roundsGame.id,
    room: "RANK",
    role: "player",
    name,
    protocolVersion: 0,
    account,
  };
  return { name, peer: { ...LOCAL_PEER, ticket } };
}

Deno.test("Match: a round counts for names that were typed, by device, and for who played it to its end (SPEC 25.14)", () => {
  const rounds: RoundOver[] = [];
  const harness = new MatchHarness({
    game: roundsGame,
    onRoundOver: (round) => rounds.push(round),
  });
  const playing: TestClient[] = [];
  const playUntil = (tick: number) => {
    while (harness.match.tick < tick) {
      for (const client of playing) client.command(harness.match.tick + 1, commandWith(2));
      harness.run(1);
    }
  };
  const typed = harness.join(comer("Wren", "a1"));
  const namesake = harness.join(comer("Wren", "b2"));
  const drawn = harness.join(comer("", "c3"));
  const nowhere = harness.join(comer("Rook", undefined));
  const leaver = harness.join(comer("Gale", "d4"));
  playing.push(typed, namesake, drawn, nowhere, leaver);
  harness.run(1);
  playUntil(ROUND_TICKS / 2 + 5);

  // One comes too late for this round, and one loses the connection before its end.
  const late = harness.join(comer("Flint", "e5"));
  playing.push(late);
  playUntil(ROUND_TICKS - 5);
  playing.splice(playing.indexOf(leaver), 1);
  leaver.link.close(1006, "cut");
  playUntil(ROUND_TICKS + 1);

  assertEquals(rounds.length, 1);
  const players = new Map(rounds[0]!.scores.map(({ seat, player }) => [seat, player]));
  assertEquals(players.get(typed.seat), { account: "a1", name: "Wren" });
  assertEquals(players.get(namesake.seat), { account: "b2", name: "Wren" });
  for (const client of [drawn, nowhere, late, leaver]) {
    assertEquals(players.get(client.seat), undefined);
  }

  // Who came late plays the next round.
  playUntil(harness.match.tick + 65);
  const next = rounds[1]!.scores.find(({ seat }) => seat === late.seat);
  assertEquals(next?.player, { account: "e5", name: "Flint" });
});
