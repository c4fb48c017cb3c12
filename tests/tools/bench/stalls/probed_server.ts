/**
 * The real server with one addition: it keeps when each tick was due and what became of each
 * command. It answers with both on a port of its own.
 *
 *     deno run … tests/tools/bench/stalls/probed_server.ts [without-turns] [the flags of the server]
 *
 * With "without-turns" its scheduler calls what is due at once before any socket is read. So late
 * ticks get no turns of the event loop, as before there were any.
 */
import { CommandQueue } from "../../../../server/match/clients/command_queue.ts";
import { TickTimes } from "../../../../server/match/tick_times.ts";
import { runServer } from "../../../../server/run_server.ts";
import { SERVER_PROCESS } from "../../../../server/supervision/child_command.ts";
import { type Scheduler, systemScheduler } from "../../../../server/ground/ticker.ts";
import { GAMES } from "../../../../shared/games/registry.ts";
import type { SeatId, Tick } from "../../../../shared/netcode/game.ts";

/** One match's ticks and commands are kept: those of eight players in 20 minutes. */
const TICKS_MAX = 24_000;
const COMMANDS_MAX = 8 * TICKS_MAX;

/** When a tick was due, and when it ran, ms since 1970. */
export interface ProbedTick {
  readonly tick: Tick;
  readonly dueMs: number;
  readonly ranMs: number;
}

/** A command that the server has read. */
export interface ProbedCommand {
  readonly seat: SeatId;
  readonly tick: Tick;
  readonly isTaken: boolean;
}

/** What the server did with one match. */
export interface Probe {
  readonly ticks: readonly ProbedTick[];
  readonly commands: readonly ProbedCommand[];
}

const ticks: ProbedTick[] = [];
const commands: ProbedCommand[] = [];

function keepTicks(): void {
  const { beginTick } = TickTimes.prototype;
  TickTimes.prototype.beginTick = function (tick, times) {
    const { timeOrigin } = performance;
    const { dueMs, nowMs } = times;
    if (ticks.length < TICKS_MAX) {
      ticks.push({ tick, dueMs: timeOrigin + dueMs, ranMs: timeOrigin + nowMs });
    }
    beginTick.call(this, tick, times);
  };
}

function keepCommands(): void {
  const { offer } = CommandQueue.prototype;
  CommandQueue.prototype.offer = function (command, { tick, nextTick }) {
    const outcome = offer.call(this, command, { tick, nextTick });
    // A datagram repeats commands, so the first arrival decides.
    const isFirst = outcome === "taken" || outcome === "late";
    if (isFirst && commands.length < COMMANDS_MAX) {
      commands.push({ seat: this.seat, tick, isTaken: outcome === "taken" });
    }
    return outcome;
  };
}

/** A scheduler that does not wait for a turn of the event loop if something is due at once. */
function withoutTurns({ now, after }: Scheduler): Scheduler {
  return {
    now,
    after(delayMs, action) {
      if (delayMs > 0) return after(delayMs, action);
      let isCancelled = false;
      queueMicrotask(() => isCancelled || action());
      return () => void (isCancelled = true);
    },
  };
}

if (import.meta.main) {
  const [mode, ...flags] = Deno.args;
  if (mode === "without-turns") {
    Object.assign(systemScheduler, withoutTurns({ ...systemScheduler }));
  }
  // The supervisor runs this script as well, but plays no matches.
  if (Deno.args.at(-1) === SERVER_PROCESS) {
    keepTicks();
    keepCommands();
    Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: ({ port }) => console.log(`The probe listens on http://127.0.0.1:${port}/`),
    }, () => Response.json({ ticks, commands } satisfies Probe));
  }
  Deno.exit(await runServer(GAMES, mode === "without-turns" ? flags : Deno.args));
}
