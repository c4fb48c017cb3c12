import { dragonGame } from "../../../shared/games/dragons/game.ts";
import { assertEquals, assertGreater, assertNotEquals } from "@std/assert";
import { ServerSecret } from "../../../server/ground/server_secret.ts";
import { Rooms } from "../../../server/rooms/rooms.ts";
import { type Hello, PROTOCOL_VERSION } from "../../../shared/netcode/wire/messages.ts";
import { ClientMessageEncoder } from "../../../shared/netcode/wire/client_messages.ts";
import { ServerMessageDecoder } from "../../../shared/netcode/wire/server_messages.ts";
import { hashOf } from "../../../shared/random.ts";
import { LocalLink } from "../../../shared/netcode/simulated_network/local_link.ts";

const HELLO: Hello = {
  type: "hello",
  protocolVersion: PROTOCOL_VERSION,
  gameId: dragonGame.id,
  room: "AAAA",
  name: "Wren",
  spectate: true,
  bodyStreamMode: "no",
  choices: [],
  resume: undefined,
};

/**
 * @returns the seed that a spectator of a room is given, and the commands of the first NPC in 300
 *   ticks
 */
function watch(secret: ServerSecret, room: string): { seed: number; commands: string[] } {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const rooms = new Rooms({
    games: { dragons: dragonGame },
    clock,
    npcs: 1,
    secret,
    stream: "commands",
    log: () => {},
  });
  const [player, playerFar] = LocalLink.pair();
  const [near, far] = LocalLink.pair();
  const decoder = new ServerMessageDecoder(dragonGame.command);
  const seen = { seed: -1, commands: [] as string[] };
  near.onMessage((bytes) => {
    const message = decoder.decode(bytes);
    if (message.type === "welcome") seen.seed = message.seed;
    if (message.type !== "tick") return;
    for (const { seat, command } of message.announcements) {
      if (seat === 16) seen.commands.push(JSON.stringify(command));
    }
  });

  // Only a player opens a room.
  for (const [link, remote, spectate] of [[player, playerFar, false], [near, far, true]] as const) {
    rooms.admit(remote);
    link.send(
      new ClientMessageEncoder(dragonGame.command, { ordered: true }).encode({
        ...HELLO,
        room,
        spectate,
      }),
    );
  }

  for (let i = 0; i < 300; i++) rooms.tick(clock.nowMs += 50);
  return seen;
}

Deno.test("ServerSecret: a room's seed follows from the secret, and no room's from another's (SPEC 7.21)", () => {
  const secret = ServerSecret.ofText("seed 5");
  const other = ServerSecret.ofText("seed 6");
  const { seed } = watch(secret, "AAAA");
  assertEquals(seed, watch(ServerSecret.ofText("seed 5"), "AAAA").seed);
  assertNotEquals(seed, watch(secret, "AAAB").seed);
  assertNotEquals(seed, watch(other, "AAAA").seed);
  assertNotEquals(secret.seedOf("g", "AAAA", 0), secret.seedOf("g", "AAAA", 1));
  // The guess that the old derivation allowed: a server's seed of 32 bits, found by trying.
  for (let guess = 0; guess < 100_000; guess++) {
    assertNotEquals(hashOf(guess, parseInt("AAAA", 36)), seed);
  }
  assertNotEquals(
    ServerSecret.drawn().seedOf("g", "AAAA", 0),
    ServerSecret.drawn().seedOf("g", "AAAA", 0),
  );
});

Deno.test("ServerSecret: who has a room's seed does not know what its NPCs will decide (SPEC 6.12)", () => {
  const secret = ServerSecret.ofText("seed 5");
  const { seed, commands } = watch(secret, "AAAA");
  assertGreater(commands.length, 250);

  // A client that simulates with the seed alone, as every client did before.
  const simulation = dragonGame.start({ npcs: 1 }, seed);
  const queue: ReturnType<typeof simulation.npcCommand>[] = [];
  while (queue.length < 40) queue.push(simulation.npcCommand(16, queue));
  assertNotEquals(commands.slice(0, 40), queue.map((command) => JSON.stringify(command)));
  const twin = dragonGame.start({
    npcs: 1,
    npcRandom: secret.npcRandomOf(dragonGame.id, "AAAA", 0),
  }, seed);
  assertEquals(twin.world.all("dragon").length, simulation.world.all("dragon").length);
  const random = secret.npcRandomOf("g", "AAAA", 0);
  const again = secret.npcRandomOf("g", "AAAA", 0);
  const numbers = Array.from({ length: 2_000 }, (_, i) => random(i % 7, i));
  assertEquals(numbers.toReversed(), numbers.map((_, i) => again((1_999 - i) % 7, 1_999 - i)));
  assertEquals(new Set(numbers).size, numbers.length);
});
