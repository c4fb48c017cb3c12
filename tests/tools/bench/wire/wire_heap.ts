/**
 * Measures whether the heap grows with time: a match of workload W with eight players over both
 * kinds of links. The heap is compared after `TICKS` and after four times as many ticks, each time
 * after a collection, which a flag allows the child process to start.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import { deflateRawSync } from "node:zlib";
import { Match } from "../../../../server/match/match.ts";
import type { TickMessage } from "../../../../shared/netcode/wire/messages.ts";
import { ServerMessageDecoder } from "../../../../shared/netcode/wire/server_messages.ts";
import { ClientMessageEncoder } from "../../../../shared/netcode/wire/client_messages.ts";
import { LocalLink } from "../../../../shared/netcode/simulated_network/local_link.ts";
import {
  HumanLikeControls,
  NPCS,
  PLAYERS,
  PROJECTILES,
  wireGame,
  type WireSimulation,
} from "./wire_game.ts";

/**
 * By then the compiler has allocated its 300 kB or so, which an earlier start would count as
 * growth.
 */
const TICKS = 4000;
/** The clients' lead. */
const LEAD_TICKS = 3;

/** Runs this file in a child process. @returns how many bytes the heap grew per tick */
export async function measureHeapGrowth(): Promise<number> {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--v8-flags=--expose-gc", import.meta.url],
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`the process that measures the heap ended with code ${code}`);
  return Number(new TextDecoder().decode(stdout));
}

/** A client with codecs and controls but without a simulation. */
class CodecClient {
  readonly #link: LocalLink;
  readonly #decoder = new ServerMessageDecoder(wireGame.command);
  readonly #encoder: ClientMessageEncoder<DragonCommand>;
  readonly #controls: HumanLikeControls;
  #received = 0;

  constructor(
    match: Match<DragonCommand>,
    { index, ordered }: { index: number; ordered: boolean },
  ) {
    const [near, far] = LocalLink.pair({ ordered });
    this.#link = near;
    this.#controls = new HumanLikeControls(index + 1);
    this.#encoder = new ClientMessageEncoder(wireGame.command, near);
    near.onMessage((bytes) => {
      const message = this.#decoder.decode(bytes);
      if (message.type === "tick") this.#receive(message);
      if (message.type === "ticks") message.ticks.forEach((tick) => this.#receive(tick));
    });
    match.join(far, { name: `rider ${index}`, spectate: false, resume: undefined });
  }

  play(now: number): void {
    const tick = now + LEAD_TICKS;
    const received = this.#received;
    const command = this.#controls.next();
    const head = { tick, received, leadMs: 150, isDesynced: false };
    this.#link.send(this.#encoder.encode(
      this.#link.ordered
        ? { type: "command", ...head, command }
        : { type: "commands", ...head, commands: [command] },
    ));
    if (tick % 20 === 0) this.#link.send(this.#encoder.encode({ type: "ping", id: tick & 255 }));
  }

  #receive({ tick }: TickMessage<DragonCommand>): void {
    this.#received = Math.max(this.#received, tick);
  }
}

/**
 * @returns how many bytes the heap grew per tick
 * @throws Error if the match had too few bodies or commands
 */
function growthPerTick(collect: () => void): number {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const { seed, npcs } = { seed: 6, npcs: NPCS };
  const newToken = () => "0123456789abcdef0123456789abcdef";
  const nameForms = (name: string) => [name];
  const deflate = (bytes: Uint8Array) => deflateRawSync(bytes);
  let simulation!: WireSimulation;
  const game = {
    ...wireGame,
    start: (...args: Parameters<typeof wireGame.start>) => simulation = wireGame.start(...args),
  };
  const match = new Match(game, {
    npcs,
    seed,
    stream: "commands",
    clock,
    newToken,
    nameForms,
    deflate,
  });
  const clients = Array.from(
    { length: PLAYERS },
    (_, index) => new CodecClient(match, { index, ordered: index % 2 === 0 }),
  );
  const heapAfter = (ticks: number) => {
    while (match.tick < ticks) {
      for (const client of clients) client.play(match.tick);
      clock.nowMs += 50;
      match.run(clock.nowMs);
      match.record();
      match.broadcast();
    }
    // After the first collection finalizers run, and free more for the second one.
    collect();
    collect();
    return Deno.memoryUsage().heapUsed;
  };
  const before = heapAfter(TICKS);
  const after = heapAfter(4 * TICKS);

  if (
    simulation.bodies.length !== PLAYERS + NPCS + PROJECTILES ||
    match.stats.commandsTaken < 3.9 * TICKS * PLAYERS
  ) {
    throw new Error(
      `${simulation.bodies.length} bodies, ${match.stats.commandsTaken} commands: nobody played`,
    );
  }

  return Math.round((after - before) / (3 * TICKS));
}

if (import.meta.main) console.log(growthPerTick((globalThis as unknown as { gc: () => void }).gc));
