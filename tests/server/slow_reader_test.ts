/**
 * A player on a live server stops reading, while others read on. The tests measure the bytes that
 * this costs in the process and in the operating system. They also measure its effect on the
 * others, and the time until the player plays again, in the others' ticks.
 *
 * Every client gets the full state each tick, hundreds of times more than a match needs. A stream
 * of commands would not fill an operating system's buffers in an hour.
 */
import { assert, assertEquals, assertGreater, assertLess, assertLessOrEqual } from "@std/assert";
import { Rooms } from "../../server/rooms/rooms.ts";
import { seededSecret } from "../support/seeded_secret.ts";
import { CloseCode, PROTOCOL_VERSION } from "../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../shared/netcode/wire/client_messages.ts";
import type { Snapshot } from "../../shared/snapshot.ts";
import { type CounterCommand, counterGame } from "../tools/lab/counter_game.ts";
import { LocalLink } from "../../shared/netcode/simulated_network/local_link.ts";
import { openEchoServer } from "../support/echo_server.ts";
import { SKIP_BYTES, UNREAD_TICKS_MAX } from "../../server/match/clients/send_backlog.ts";
import { HonestBot } from "../support/honest_bot.ts";
import { PAUSABLE_ADDRESS, PausableSocket } from "../support/sockets/pausable_socket.ts";
import { ServerProcess } from "../support/servers/server_process.ts";

const COST_BYTES_MAX = 1_000_000;
/** Ten seconds. */
const PAUSED_TICKS = 200;
/** Two seconds. The lab requires half a second, but there no other process takes the core. */
const BACK_TICKS_MAX = 40;

async function metricOf(server: ServerProcess, name: string): Promise<number> {
  const text = await (await fetch(`${server.url}metrics`)).text();
  return Number(text.match(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m"))![1]);
}

/**
 * Bytes that the operating system holds for the paused player at both ends, which are on this
 * machine.
 */
async function heldBytes(port: number): Promise<number> {
  if (Deno.build.os !== "linux") return 0;
  const hex = (value: number, digits: number) =>
    value.toString(16).toUpperCase().padStart(digits, "0");
  const address = PAUSABLE_ADDRESS.split(".").reverse().map((part) => hex(Number(part), 2)).join(
    "",
  );
  let held = 0;
  for (const line of (await Deno.readTextFile("/proc/net/tcp")).split("\n").slice(1)) {
    const [, local = "", remote = "", , queues = ""] = line.trim().split(/\s+/);
    const [unacknowledged, unread] = queues.split(":").map((digits) => parseInt(digits, 16));
    if (local.endsWith(`:${hex(port, 4)}`) && remote.startsWith(address)) held += unacknowledged!;
    if (remote.endsWith(`:${hex(port, 4)}`) && local.startsWith(address)) held += unread!;
  }
  return held;
}

Deno.test("server: ten seconds without reading cost little and disturb nobody (SPEC 4.4)", async () => {
  await using server = await ServerProcess.start(
    "--seed",
    "12",
    "--npcs",
    "6",
    "--stream",
    "state",
  );
  const others = [1, 2].map((seed) => new HonestBot(server.url, { name: `honest ${seed}`, seed }));
  let socket!: PausableSocket;
  const open = (url: string) => socket = new PausableSocket(url);
  const slow = new HonestBot(server.url, { name: "slow", seed: 3, open });
  const bots = [slow, ...others];
  await Promise.all(bots.map((bot) => bot.until(() => bot.isPlaying)));
  await slow.assertUndisturbed();
  const now = () => others[0]!.session.definitiveTick;
  const until = (tick: number) => others[0]!.until(() => now() >= tick);

  // One that ran would take the connection for dead.
  slow.sleep();
  socket.pause();
  const paused = now();
  let costMax = 0;
  for (let tick = paused; tick < paused + PAUSED_TICKS; tick += 10) {
    await until(tick);
    const held = await heldBytes(server.port);
    costMax = Math.max(costMax, await metricOf(server, "wyvern_unsent_bytes") + held);
  }

  assertLess(slow.session.definitiveTick, paused + 20, "it has read nothing");
  const skipped = await metricOf(server, "wyvern_tick_messages_skipped_total");
  socket.resume();
  slow.wake();
  const resumed = now();
  const isBack = () =>
    slow.session.isInSync && slow.session.definitiveTick >= resumed && slow.session.head > resumed;
  await slow.until(isBack);
  const backTicks = now() - resumed;
  assert(isBack(), slow.session.closeReason);
  assertLessOrEqual(backTicks, BACK_TICKS_MAX);
  assertGreater(skipped, 50);
  assertLessOrEqual(costMax, COST_BYTES_MAX);

  // The client gets as much as it may leave unread, and the operating system's buffers show it.
  if (Deno.build.os === "linux") assertGreater(costMax, SKIP_BYTES / 2);
  for (const bot of others) await bot.assertUndisturbed();
  assertEquals(slow.session.stats.desyncs, 0);
  for (const bot of bots) bot.stop();
  const { code, stderr } = await server.stop();
  assertEquals([code, stderr], [0, ""]);
});

const PADDING_WORDS = 10_000;

/**
 * The counter game with a state of 40 kB, which fills an operating system's buffers after a hundred
 * ticks.
 */
const paddedGame: typeof counterGame = {
  ...counterGame,
  start(options, seed) {
    const simulation = counterGame.start(options, seed);
    const save = simulation.save.bind(simulation);
    simulation.save = (into: Snapshot) => {
      save(into);
      const words = into.length + PADDING_WORDS;
      into.reserve(words);
      into.words.fill(7, into.length, words);
      into.length = words;
    };
    return simulation;
  },
};

/** A spectator. It sends nothing after its hello, so the server cannot see what it has read. */
class Spectator {
  readonly socket: PausableSocket;
  readonly ticks: number[] = [];
  readonly ended = Promise.withResolvers<number>();
  #received = Promise.withResolvers<void>();

  constructor(url: string) {
    const decoder = new ServerMessageDecoder<CounterCommand>(counterGame.command);
    const encoder = new ClientMessageEncoder(counterGame.command, { ordered: true });
    this.socket = new PausableSocket(`${url.replace("http", "ws")}socket`);
    this.socket.onMessage((bytes) => {
      const message = decoder.decode(bytes);
      if (message.type === "tick") this.ticks.push(message.tick);
      this.#received.resolve();
      this.#received = Promise.withResolvers();
    });
    this.socket.onClose((code) => this.ended.resolve(code));
    const hello = {
      type: "hello",
      protocolVersion: PROTOCOL_VERSION,
      gameId: "counter-1",
      room: "EYES",
    } as const;
    this.socket.send(
      encoder.encode({
        bodyStreamMode: "no",
        ...hello,
        name: "eyes",
        spectate: true,
        resume: undefined,
        choices: [],
      }),
    );
  }

  async until(tick: number): Promise<void> {
    while ((this.ticks.at(-1) ?? -1) < tick) await this.#received.promise;
  }
}

/** Opens a room, which stays as long as somebody plays in it. */
function playerIn(rooms: Rooms<CounterCommand>, room: string): { command(tick: number): void } {
  const [near, far] = LocalLink.pair();
  const encoder = new ClientMessageEncoder(counterGame.command, { ordered: true });
  rooms.admit(far);
  const hello = {
    type: "hello",
    protocolVersion: PROTOCOL_VERSION,
    gameId: "counter-1",
    room,
    name: "Wren",
  } as const;
  near.send(
    encoder.encode({
      bodyStreamMode: "no",
      ...hello,
      spectate: false,
      resume: undefined,
      choices: [],
    }),
  );
  return {
    command(tick) {
      const received = Math.max(0, tick - 1);
      const command = { presses: 0, dir: 0 } as const;
      near.send(
        encoder.encode({ type: "command", tick, command, leadMs: 0, received, isDesynced: false }),
      );
    },
  };
}

Deno.test("server: a client that fills all buffers is skipped, then closed with 4005 (SPEC 4.4, 4.12)", async () => {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const rooms = new Rooms({
    games: { padded: paddedGame },
    clock,
    npcs: 0,
    secret: seededSecret(1),
    stream: "state",
    log: () => {},
  });
  await using server = await openEchoServer({ admit: (link) => rooms.admit(link) });
  const player = playerIn(rooms, "EYES");
  const other = new Spectator(server.url);
  while (rooms.clientCount < 2) await new Promise((resolve) => setTimeout(resolve));
  const slow = new Spectator(server.url);
  while (rooms.clientCount < 3) await new Promise((resolve) => setTimeout(resolve));

  // Ticks run as fast as the other spectator receives them; the test sets the clock.
  let tick = 0;
  let unsentMax = 0;
  let unsentTicks = 0;
  const run = async () => {
    player.command(tick + 1);
    rooms.tick(clock.nowMs += 50);
    await other.until(++tick);
    const unsent = server.links[1]!.bufferedBytes;
    unsentMax = Math.max(unsentMax, unsent);
    unsentTicks += unsent > SKIP_BYTES ? 1 : 0;
  };
  for (let i = 0; i < 5; i++) await run();
  await slow.until(tick);
  slow.socket.pause();
  while (unsentTicks < UNREAD_TICKS_MAX && tick < 3000) await run();
  assertEquals(unsentTicks, UNREAD_TICKS_MAX);

  // One state more than the limit, and its header. The bytes in the operating systems came before
  // it.
  assertLessOrEqual(unsentMax, SKIP_BYTES + 4 * (PADDING_WORDS + 1000));
  for (let i = 0; i < 3; i++) await run();
  slow.socket.resume();
  assertEquals(await slow.ended.promise, CloseCode.tooSlow);
  await run();
  assertEquals(other.ticks, other.ticks.map((_, i) => i + 1));
  assertEquals(other.ticks.length, tick);
  await server.close();
  assertEquals(await other.ended.promise, 1001);
});
