/**
 * Datagrams of every kind from the server to a client are lost, and yet no client misses anything
 * in the end.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { PLAYER_SEATS } from "../../../shared/netcode/game.ts";
import type { TickMessage } from "../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { type CounterCommand, counterGame } from "./counter_game.ts";
import { Lab } from "./lab.ts";
import type { LossyModel } from "./links/lossy_link.ts";
import { RandomCounterControls } from "./random_controls.ts";

const NETWORK: LossyModel = {
  oneWayMs: 45,
  jitterMs: 20,
  loss: 0.05,
  duplicated: 0.01,
  delayed: 0.03,
};
const RESIDENTS = 4;
const GUESTS = 80;

/** The kinds of content in a tick. */
function contentsOf(
  { presence, announcements, advisedLeadMs }: TickMessage<CounterCommand>,
): string[] {
  return [
    "hash",
    ...presence.map(({ seat, present }) =>
      `${seat < PLAYER_SEATS ? "player" : "NPC"} ${present ? "enters" : "leaves"}`
    ),
    ...announcements.map(({ seat }) => seat < PLAYER_SEATS ? "player's command" : "NPC's command"),
    ...(advisedLeadMs > 0 ? ["advice"] : ["no advice yet"]),
  ];
}

/** By kind of content: how many lost datagrams carried it in their newest tick. */
class Losses {
  readonly counts = new Map<string, number>();
  readonly #decoder = new ServerMessageDecoder(counterGame.command);

  add(datagram: Uint8Array, isFirst: boolean): void {
    const message = this.#decoder.decode(datagram);
    if (message.type === "pong") return this.#count("pong");
    assert(message.type === "ticks", message.type);
    this.#count(message.ticks.length === 1 ? "one tick" : "several ticks");
    if (isFirst) this.#count("the first datagram of all");
    for (const kind of new Set(contentsOf(message.ticks.at(-1)!))) this.#count(kind);
  }

  #count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }
}

Deno.test("Lab: at 5 % loss each kind of server message is lost, and every client still has every tick (SPEC 2.4, 8.9) [seed 71]", () => {
  const lab = new Lab({ game: counterGame, seed: 71, npcs: 3 });
  const losses = new Losses();
  const join = (name: string, { seed, spectate = false }: { seed: number; spectate?: boolean }) => {
    const controls = new RandomCounterControls(seed);
    const player = lab.joinByDatagrams(name, {
      commandSource: controls,
      network: NETWORK,
      spectate,
    });
    player.link.onLostDown((message) => losses.add(message, player.session.stats.ticks === 0));
    return { controls, ...player };
  };
  const residents = Array.from({ length: RESIDENTS }, (_, i) => join(`p${i}`, { seed: i + 1 }));
  const spectator = join("eyes", { seed: 9, spectate: true });
  lab.run(3);
  let stalled = 0;

  for (let i = 0; i < GUESTS; i++) {
    const guest = join(`guest ${i}`, { seed: 100 + i });
    lab.run(2);
    assertEquals([guest.session.phase, guest.session.isInSync], ["playing", true]);
    stalled += guest.link.counts.down.streamedReordered;
    lab.leave(lab.players.find(({ session }) => session === guest.session)!);
    lab.run(0.5);
  }

  for (const { controls } of residents) controls.isIdle = true;
  lab.run(3);
  const kinds = [
    "pong",
    "one tick",
    "several ticks",
    "the first datagram of all",
    "hash",
    "player enters",
    "player leaves",
  ];
  kinds.push("player's command", "NPC's command", "advice", "no advice yet");
  for (const kind of kinds) assertGreater(losses.counts.get(kind) ?? 0, 0, kind);

  // Welcome and state use the reliable channel, so they are delayed but never lost.
  assertGreater(stalled, 0);

  for (const { session, controls } of residents) {
    assertEquals([session.phase, session.stats.desyncs, session.stats.statesAdopted], [
      "playing",
      0,
      1,
    ]);
    assertEquals(lab.serverSimulation!.pressesOf(session.seat), controls.pressTotal);
    // One for each tick that the server ran, except those in flight.
    assertGreater(session.stats.ticks, lab.match!.tick - 15);
    assertEquals(session.names, spectator.session.names);
    const newest = session.definitiveTick;
    for (let tick = newest - 100; tick < newest - 2; tick++) {
      assertEquals(session.provenHash(tick), lab.definitiveHashes.get(tick), `tick ${tick}`);
    }
  }

  assertEquals([spectator.session.stats.desyncs, spectator.session.stats.statesAdopted], [0, 1]);
});
