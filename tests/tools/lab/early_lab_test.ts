/**
 * Early announcements: clients on slow connections get urgent commands halfway between two ticks.
 */
import type { DragonCommand } from "../../../shared/games/dragons/declaration.ts";
import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assert, assertAlmostEquals, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { Announcement } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { Lab } from "./lab.ts";
import { RandomDragonControls } from "./random_controls.ts";

const FAR = { oneWayMs: 100, jitterMs: 10 };
const NEAR = { oneWayMs: 15, jitterMs: 3 };
const SECONDS = 30;

/**
 * Reads what arrives at a client, and compares early announcements with those in the tick messages.
 */
class Listener {
  readonly #decoder = new ServerMessageDecoder<DragonCommand>(dragonGame.command);
  #awaited: Announcement<DragonCommand>[] = [];
  /** By seat: the newest announced command. */
  readonly #newest = new Map<number, DragonCommand>();
  earlyMessages = 0;
  earlyBytes = 0;
  bytes = 0;
  /** Early announcements that the next tick message did not repeat. */
  broken = 0;
  surprises = 0;

  readonly onArrival = (bytes: Uint8Array) => {
    const message = this.#decoder.decode(bytes);
    this.bytes += bytes.length;

    if (message.type === "early") {
      this.earlyMessages++;
      this.earlyBytes += bytes.length;
      for (const { seat, command } of message.announcements) {
        const before = this.#newest.get(seat);
        if (before === undefined || dragonGame.isUrgent!(command, before)) this.surprises++;
      }
      this.#awaited.push(...message.announcements);
    }

    if (message.type !== "tick") return;

    for (const { seat, tick, command } of this.#awaited) {
      const isRepeated = message.announcements.some((each) =>
        each.seat === seat && each.tick === tick && dragonGame.command.same(each.command, command)
      );
      if (!isRepeated) this.broken++;
    }

    this.#awaited = [];
    for (const { seat, command } of message.announcements) this.#newest.set(seat, command);
  };
}

/** @returns the mean lead of two clients on slow connections, ms */
function meanLeadMs(game: typeof dragonGame): number {
  const lab = new Lab({ game, seed: 22, npcs: 2 });
  const sessions = [1, 2].map((seed) =>
    lab.join(`p${seed}`, { commandSource: new RandomDragonControls(seed), network: FAR }).session
  );
  lab.run(20);
  let sumMs = 0;
  for (let second = 0; second < SECONDS; second++) {
    lab.run(1);
    for (const { leadMs } of sessions) sumMs += leadMs / sessions.length;
  }
  return sumMs / SECONDS;
}

Deno.test("Lab: commands that are taken between two ticks have the slack that they would have with the next tick (SPEC 2.14, 5.1) [seed 22]", () => {
  const { isUrgent: _isUrgent, ...patient } = dragonGame;
  assertAlmostEquals(meanLeadMs(dragonGame), meanLeadMs(patient), 3);
});

Deno.test("Lab: far clients get flaps and turns early, near ones do not, and the next tick repeats them (SPEC 2.14) [seed 21]", () => {
  const lab = new Lab({ game: dragonGame, seed: 21, npcs: 2 });
  const listeners = [FAR, FAR, NEAR].map((network, i) => {
    const listener = new Listener();
    const commandSource = new RandomDragonControls(i + 1);
    const { session } = lab.join(`p${i}`, {
      commandSource,
      network,
      onArrival: listener.onArrival,
    });
    return { listener, session, isFar: network === FAR };
  });
  lab.run(SECONDS);

  for (const { listener, session, isFar } of listeners) {
    assertEquals([session.stats.desyncs, listener.broken], [0, 0]);
    assertGreater(session.stats.rollbacks, 50);
    if (!isFar) assertEquals(listener.earlyMessages, 0);
    else {
      assertGreater(listener.earlyMessages, SECONDS / 4);
      assertGreater(listener.surprises, 0.95 * listener.earlyMessages);
      assertLess(listener.earlyBytes, 0.25 * listener.bytes);
    }
  }

  assert(lab.log.every(({ event }) => event !== "room_failed"));
});
