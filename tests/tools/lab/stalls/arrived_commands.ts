/**
 * The commands that have arrived at one link's server socket for ticks that are still to run. While
 * the process stands still they wait there. Whatever keeps the process from its sockets, a command
 * that arrived in time is taken (SPEC 2.15):
 *
 *     arrival < due − 5 ms   →   when the tick has run, its seat has a command for it
 */
import { LOOK_MS } from "../../../../server/ground/ticker.ts";
import type { Game, Tick } from "../../../../shared/netcode/game.ts";
import { WireError } from "../../../../shared/netcode/wire/range_coder.ts";
import { ClientMessageDecoder } from "../../../../shared/netcode/wire/client_messages.ts";
import { COMMANDS_AHEAD_TICKS_MAX } from "../../../../shared/netcode/timeline.ts";

export class ArrivedCommands<Command> {
  readonly #decoder: ClientMessageDecoder<Command>;
  /** By tick: when its first command arrived, ms. */
  readonly #arrivedMs = new Map<Tick, number>();
  /** A link begins with its hello. */
  #hasHello = false;
  /** Whether the server understood every message so far. */
  #isReadable = true;

  constructor(game: Pick<Game<Command>, "command">, link: { readonly ordered: boolean }) {
    this.#decoder = new ClientMessageDecoder(game.command, link);
  }

  /**
   * Notes that a message has come to the server's socket, where it may wait.
   * @param options.newestTick its match's: the server refuses commands that are too far ahead of it
   */
  add(
    message: Uint8Array,
    { reliably, nowMs, newestTick }: { reliably: boolean; nowMs: number; newestTick: Tick },
  ): void {
    if (!this.#hasHello) {
      this.#hasHello = reliably;
      return;
    }
    if (!this.#isReadable) return;
    for (const tick of this.#ticksOf(message, reliably)) {
      const isTooFarAhead = tick > newestTick + COMMANDS_AHEAD_TICKS_MAX;
      if (!isTooFarAhead && !this.#arrivedMs.has(tick)) this.#arrivedMs.set(tick, nowMs);
    }
  }

  /**
   * Notes that a tick has run, and forgets earlier commands.
   * @returns how long before the tick was due its command had arrived, ms, if that was in time;
   * otherwise undefined
   */
  inTimeFor(tick: Tick, dueMs: number): number | undefined {
    const beforeMs = dueMs - (this.#arrivedMs.get(tick) ?? Infinity);
    for (const each of this.#arrivedMs.keys()) if (each <= tick) this.#arrivedMs.delete(each);
    return beforeMs > LOOK_MS ? beforeMs : undefined;
  }

  #ticksOf(message: Uint8Array, reliably: boolean): Tick[] {
    try {
      const decoded = this.#decoder.decode(message, reliably);
      if (decoded.type === "command") return [decoded.tick];
      if (decoded.type === "commands") return decoded.commands.map((_, i) => decoded.tick - i);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      // The server ends a link with such a message, but ignores a datagram that is too old.
      this.#isReadable = !reliably;
    }
    return [];
  }
}
