import { assert, assertEquals, assertGreater } from "@std/assert";
import { CloseCode } from "../../../../shared/netcode/wire/messages.ts";
import { going, Table, type TestClient } from "../match_harness.ts";

const LOST = 1006;

/** Two who play, and the newest tick of the match when both are in the game. */
function twoPlaying(table: Table): [TestClient, TestClient] {
  const pair: [TestClient, TestClient] = [table.join({ name: "stays" }), table.join({ name: "goes" })];
  table.run(1);
  for (let i = 0; i < 10; i++) {
    for (const client of pair) client.command(table.match.tick + 1, going(2));
    table.run(1);
  }
  return pair;
}

/** Ticks for which `observer` was told what `seat` does, in order. */
function announcedTicks(observer: TestClient, seat: number): number[] {
  return observer.ticks.flatMap(({ announcements }) => announcements).filter((each) => each.seat === seat)
    .map(({ tick }) => tick);
}

Deno.test("Match: a lost player's seat is flown by a mind after a second, announced ahead (SPEC 3.3)", () => {
  const table = new Table();
  const [stays, goes] = twoPlaying(table);
  const lostAt = table.match.tick;
  goes.link.close(LOST, "cut");
  table.run(60);
  const botTicks = announcedTicks(stays, goes.seat).filter((tick) => tick > lostAt);
  assertEquals(botTicks[0], lostAt + 20);
  // Without a gap, and always ahead of the tick that is told.
  assertEquals(botTicks, botTicks.map((_, i) => botTicks[0]! + i));
  assertGreater(botTicks.at(-1)!, table.match.tick);
  for (const { tick, announcements } of stays.ticks) {
    for (const each of announcements) if (each.seat === goes.seat && tick > lostAt) assertGreater(each.tick, tick);
  }
  // Nobody was told that he left.
  assertEquals(stays.ticks.flatMap(({ presence }) => presence).filter(({ present }) => !present), []);
});

Deno.test("Match: who comes back with his token has his seat, after what was promised to the mind (SPEC 3.4)", () => {
  const table = new Table();
  const [stays, goes] = twoPlaying(table);
  goes.link.close(LOST, "cut");
  table.run(100);
  const back = table.join({ name: "whatever", resume: goes.resume });
  assertEquals([back.seat, back.resume], [goes.seat, goes.resume]);
  table.run(1);
  assert(back.newest.state !== undefined);
  const promised = Math.max(...announcedTicks(stays, goes.seat));
  // One command on what was promised, which does not count, and one beyond it.
  back.command(promised, going(3));
  back.command(promised + 1, going(3));
  table.run(promised + 1 - table.match.tick);
  assertEquals(stays.announced(goes.seat, promised).length, 1);
  assertEquals(stays.announced(goes.seat, promised + 1), [going(3)]);
  table.run(40);
  assertEquals(Math.max(...announcedTicks(stays, goes.seat)), promised + 1);
});

Deno.test("Match: a seat is held for thirty seconds, then free; a wrong token is a newcomer's (SPEC 3.5)", () => {
  const table = new Table();
  const [stays, goes] = twoPlaying(table);
  goes.link.close(LOST, "cut");
  table.run(600);
  const stranger = table.join({ resume: "ffffffffffffffff" });
  assertEquals(stranger.seat, 2);
  table.run(60);
  const [leaving] = stays.ticks.flatMap(({ presence }) => presence).filter(({ present }) => !present);
  assertEquals(leaving!.seat, goes.seat);
  assertGreater(leaving!.tick, Math.max(...announcedTicks(stays, goes.seat)));
  assertEquals(table.join({ resume: goes.resume }).seat, goes.seat);
});

Deno.test("Match: who says that he leaves is not waited for, nor who says what nobody says (SPEC 3.2)", () => {
  const goodbyes: ((client: TestClient) => void)[] = [
    (client) => client.link.close(1000, "left"),
    (client) => client.link.send(new Uint8Array(9).fill(0xff)),
  ];
  for (const leave of goodbyes) {
    const table = new Table();
    const [stays, goes] = twoPlaying(table);
    leave(goes);
    table.run(1);
    assertEquals(stays.newest.presence.map(({ seat, present }) => [seat, present]), [[goes.seat, false]]);
  }
});

Deno.test("Match: the newest line of a player is his line, the older one is closed (SPEC 3.6)", () => {
  const table = new Table();
  const [stays, goes] = twoPlaying(table);
  const again = table.join({ resume: goes.resume });
  assertEquals(goes.link.closeCode, CloseCode.replaced);
  assertEquals(again.seat, goes.seat);
  for (let i = 0; i < 30; i++) {
    again.command(table.match.tick + 1, going(1));
    table.run(1);
  }
  assertEquals(table.match.clientCount, 2);
  // He was never lost: nobody flew for him, nobody was told anything.
  assertEquals(stays.ticks.flatMap(({ presence }) => presence).filter(({ present }) => !present), []);
  assertEquals(announcedTicks(stays, goes.seat).filter((tick) => tick > table.match.tick), []);
});

Deno.test("Match: watchers get the same stream without a seat, and say nothing that counts (SPEC 7.6)", () => {
  const table = new Table();
  const [stays] = twoPlaying(table);
  const spectator = table.join({ spectate: true });
  assertEquals(spectator.seat, -1);
  table.run(10);
  assertEquals(
    spectator.ticks.slice(1).map(({ tick, hash }) => [tick, hash]),
    stays.ticks.slice(-9).map(({ tick, hash }) => [tick, hash]),
  );
  assert(spectator.newest.state === undefined);
  spectator.report();
  table.run(1);
  assert(spectator.newest.state !== undefined);
  spectator.command(table.match.tick + 1, going(1));
  assertEquals(spectator.link.closeCode, CloseCode.protocol);
});

Deno.test("Match: sixteen play and thirty-two watch; one more of either is refused (SPEC 7.4)", () => {
  const table = new Table();
  for (let i = 0; i < 16; i++) table.join();
  assert(table.refuses({}));
  for (let i = 0; i < 32; i++) table.join({ spectate: true });
  assert(table.refuses({ spectate: true }));
});
