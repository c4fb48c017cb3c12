/** Rooms that pages host, in virtual time: who hosts, what a host that is gone costs, and whom it costs it. */
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import type {
  DragonCommand,
  DragonSimulation,
} from "../../../../shared/games/dragons/declaration.ts";
import { hashOfSnapshot } from "../../../../shared/netcode/wire/range_coder.ts";
import { Snapshot } from "../../../../shared/snapshot.ts";
import { RandomDragonControls } from "../random_controls.ts";
import { type LabPage, PageLab } from "./page_lab.ts";

type Page = LabPage<DragonCommand, DragonSimulation>;

/** Longer than the time in which a room finds its next host. */
const BACK_MS_MAX = 3000;

function dragonLab(seed: number): PageLab<DragonCommand, DragonSimulation> {
  return new PageLab({ game: dragonGame, seed, npcs: 2 });
}

/** Adds pages, and waits until all play. */
function withPages(lab: ReturnType<typeof dragonLab>, count: number): Page[] {
  const pages = Array.from({ length: count }, (_, i) => lab.addPage(new RandomDragonControls(i)));
  assert(lab.runUntil(10_000, () => pages.every(({ isPlaying }) => isPlaying)) !== undefined);
  return pages;
}

const seatsOf = (pages: readonly Page[]) => pages.map(({ session }) => session!.seat);

/** Asserts that each page has the host's states, bit by bit, and never differed. */
function assertExact(pages: readonly Page[], host: Page): void {
  const snapshot = new Snapshot();
  for (const { session, past } of pages) {
    for (const each of [session!, ...past]) assertEquals(each.stats.desyncs, 0);
    assert(session!.copyState(session!.definitiveTick, snapshot));
    assertEquals(hashOfSnapshot(snapshot), host.hosted!.hashes.get(session!.definitiveTick));
  }
}

Deno.test("PageRoom: four pages play a match that one of them hosts, with rollbacks and without a desync (SPEC 23.3) [seed 1]", () => {
  const lab = dragonLab(1);
  const pages = withPages(lab, 4);
  lab.run(20_000);
  assertEquals(pages.map(({ room }) => room.isHost), [true, false, false, false]);
  assertEquals(new Set(seatsOf(pages)).size, 4);
  assertExact(pages, pages[0]!);
  for (const { session, mesh } of pages.slice(1)) {
    assertGreater(session!.stats.rollbacks, 0);
    assertEquals(mesh.pages.size, 3, "any two pages are connected");
  }
});

Deno.test("PageRoom: when the host is gone the room is back within 3 s, all keep their seats, and no tick that a page had is lost (SPEC 23.4) [seeds 1-8]", () => {
  const waitsMs: number[] = [];
  for (let seed = 1; seed <= 8; seed++) {
    const lab = dragonLab(seed);
    const pages = withPages(lab, 4);
    lab.run(6000 + 50 * seed);
    const [host, ...others] = pages as [Page, ...Page[]];
    const seats = seatsOf(others);
    const newest = Math.max(...others.map(({ session }) => session!.definitiveTick));
    const hostTick = host.hosted!.tick;
    if (seed % 4 === 0) host.close();
    else host.kill();

    const waitMs = lab.runUntil(
      10_000,
      () =>
        others.filter(({ room }) => room.isHost).length === 1 &&
        others.every(({ isPlaying, session }) => isPlaying && session!.definitiveTick > newest),
    );
    assert(waitMs !== undefined, `seed ${seed}: the room is back`);
    waitsMs.push(waitMs);
    const next = others.find(({ room }) => room.isHost)!;
    assertEquals(next.room.term, 2);
    assertGreater(next.hosted!.firstTick, newest - 1, "from the newest state that a page had");
    assertLess(hostTick - next.hosted!.firstTick, 6);
    assertEquals(seatsOf(others), seats, `seed ${seed}: seats`);
    lab.run(3000);
    assertExact(others, next);
  }
  assertLess(Math.max(...waitsMs), BACK_MS_MAX, `${waitsMs}`);
});

Deno.test("PageRoom: a host that stands still for a second stays the host (SPEC 23.5) [seed 2]", () => {
  const lab = dragonLab(2);
  const pages = withPages(lab, 4);
  lab.run(5000);
  pages[0]!.freeze(1200);
  lab.run(6000);
  assertEquals(pages.map(({ room }) => room.term), [1, 1, 1, 1]);
  assert(pages[0]!.room.isHost);
  assertExact(pages, pages[0]!);
});

Deno.test("PageRoom: a host that comes back after another page has taken over joins as a player, in its seat (SPEC 23.5) [seed 3]", () => {
  const lab = dragonLab(3);
  const pages = withPages(lab, 4);
  lab.run(20_000);
  const seats = seatsOf(pages);
  pages[0]!.freeze(5000);
  lab.run(15_000);
  assertEquals(pages.filter(({ room }) => room.isHost).length, 1);
  assertEquals(pages.map(({ room }) => room.term), [2, 2, 2, 2]);
  const host = pages.find(({ room }) => room.isHost)!;
  assert(host !== pages[0]);
  assert(pages.every(({ isPlaying }) => isPlaying));
  assertEquals(seatsOf(pages), seats);
  assertExact(pages, host);
});

Deno.test("PageRoom: of two hosts after a cut the one with the higher term stays, and the room is one again (SPEC 23.5) [seeds 1-3]", () => {
  for (let seed = 1; seed <= 3; seed++) {
    const lab = dragonLab(seed);
    const pages = withPages(lab, 5);
    lab.run(5000);
    // The host with one other page on one side, three on the other
    lab.setCut(pages.slice(0, 2), true);
    lab.run(6000);
    assertEquals(
      pages.filter(({ room }) => room.isHost).length,
      2,
      `seed ${seed}: one on each side`,
    );
    lab.setCut(pages.slice(0, 2), false);
    lab.run(12_000);
    const hosts = pages.filter(({ room }) => room.isHost);
    assertEquals(hosts.length, 1, `seed ${seed}: one host`);
    assertEquals(new Set(pages.map(({ room }) => room.term)), new Set([2]));
    assert(pages.every(({ isPlaying }) => isPlaying), `seed ${seed}: all play`);
    assertExact(pages, hosts[0]!);
  }
});
