/**
 * Nodes on demand: a program of the operator is asked to start a machine's nodes where seats become
 * scarce, and to drain a machine where too many are free.
 *
 *     scarce for 10 s → start;   too many for 10 s → drain the emptiest machine, if enough are left
 *
 * One gateway of each region asks, and all of them find the same one. While they do not agree who
 * lives, two may ask, so the program should look whether there is something to do.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { type Log, messageOf } from "../ground/log.ts";
import { freeSeatsIn } from "../nodes/free_seats.ts";
import { type NodeHeartbeat, ticketsAt } from "../nodes/nodes.ts";
import { candidatesFor } from "../nodes/rendezvous.ts";

/** How long seats have to be scarce, or too many, before the program is asked, ms. */
const HOLDS_MS = 10_000;
/** How long nothing is asked afterwards, ms: a machine takes that long to start or to drain. */
const REST_MS = 60_000;
/** How long the program may take, ms; then it is ended. */
const PROGRAM_MS_MAX = 30_000;
/** What the program is asked for. */
export type ScaleRequest =
  | { readonly what: "start"; readonly region: string; readonly freeSeats: number }
  | {
    readonly what: "drain";
    readonly region: string;
    readonly freeSeats: number;
    /** The origin of the machine that shall stop: SIGTERM hands its matches over. */
    readonly machine: string;
  };

export interface ScalingOptions {
  readonly region: string;
  /** This gateway's origin. */
  readonly url: string;
  /** Below `low` free seats more nodes are wanted, above `high` fewer. */
  readonly seats: { readonly low: number; readonly high: number };
  /** The living nodes of all regions; undefined while this gateway does not know them all. */
  readonly living: () => readonly NodeHeartbeat[] | undefined;
  /** Asks the program. @returns its exit code */
  readonly ask: (request: ScaleRequest) => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
}

export class Scaling {
  readonly #options: ScalingOptions;
  /** What has been wanted, and since when, ms. */
  #wanted: { readonly what: ScaleRequest["what"]; readonly sinceMs: number } | undefined;
  #restsUntilMs = -Infinity;

  constructor(options: ScalingOptions) {
    this.#options = options;
  }

  /** Looks at the region, and asks the program if it is time. Call it about once a second. */
  async advance(): Promise<void> {
    const { living, clock, region, url } = this.#options;
    const nodes = living()?.filter((each) => each.region === region);
    const nowMs = clock.now();
    if (nodes === undefined || nowMs < this.#restsUntilMs) return;

    // One gateway asks for all.
    const machines = [...new Set(nodes.map(ticketsAt))];
    const request = candidatesFor(`scale ${region}`, machines)[0] === url
      ? this.#requestFor(nodes, machines)
      : undefined;
    if (request?.what !== this.#wanted?.what) {
      this.#wanted = request && { what: request.what, sinceMs: nowMs };
    }
    if (request === undefined || nowMs - this.#wanted!.sinceMs < HOLDS_MS) return;

    this.#wanted = undefined;
    this.#restsUntilMs = nowMs + REST_MS;
    await this.#ask(request);
  }

  #requestFor(
    nodes: readonly NodeHeartbeat[],
    machines: readonly string[],
  ): ScaleRequest | undefined {
    const { region, url, seats: { low, high } } = this.#options;
    const freeSeats = Math.round(freeSeatsIn(nodes));
    if (freeSeats < low) return { what: "start", region, freeSeats };
    if (freeSeats <= high) return undefined;

    // The emptiest of the other machines, if the rest has room for its players, and to spare.
    const playersOf = (machine: string) =>
      nodes.filter((each) => ticketsAt(each) === machine)
        .reduce((sum, { health }) => sum + (health?.clients ?? 0), 0);
    const others = machines.filter((each) => each !== url);
    const [machine] = others.toSorted((a, b) => playersOf(a) - playersOf(b) || (a < b ? -1 : 1));
    if (machine === undefined) return undefined;
    const left = freeSeatsIn(nodes.filter((each) => ticketsAt(each) !== machine));
    return left - playersOf(machine) < 2 * low
      ? undefined
      : { what: "drain", region, freeSeats, machine };
  }

  async #ask(request: ScaleRequest): Promise<void> {
    const { ask, log } = this.#options;
    try {
      const code = await ask(request);
      log("scale_asked", { ...request, code });
    } catch (error) {
      log("scale_hook_failed", { ...request, error: messageOf(error) });
    }
  }
}

/**
 * Runs the operator's program: `PROGRAM start REGION SEATS` or `PROGRAM drain REGION SEATS MACHINE`.
 * @returns its exit code
 * @throws Error if it cannot be started
 */
export async function runScaleHook(
  program: string,
  request: ScaleRequest,
  wait: (ms: number) => Promise<void>,
): Promise<number> {
  const { what, region, freeSeats } = request;
  const machine = request.what === "drain" ? [request.machine] : [];
  const ended = new AbortController();
  const child = new Deno.Command(program, {
    args: [what, region, String(freeSeats), ...machine],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
    signal: ended.signal,
  }).spawn();
  await Promise.race([child.status, wait(PROGRAM_MS_MAX)]);
  ended.abort();
  return (await child.status).code;
}
