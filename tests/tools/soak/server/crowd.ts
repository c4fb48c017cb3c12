/**
 * Many light clients, as the tool orders them. They play in a process of their own with a low
 * priority, because real players use other machines.
 */
import { setPriority } from "node:os";
import { cpuMsOf } from "../../bench/match/server_readings.ts";
import { TurnProcess } from "../../bench/physics/turn_process.ts";
import type { Role } from "./light_client.ts";
import type { Transport } from "../../bench/transport/plan.ts";

const PROCESS = new URL("crowd_process.ts", import.meta.url).href;
/** As `nice` counts it. */
const PRIORITY = 10;

/** Clients that come from one address into one room. */
export interface Addition {
  readonly count: number;
  readonly address: string;
  readonly room: string;
  readonly role: Role;
  /** By default a WebSocket. */
  readonly transport?: Transport;
  /** How long they stay before they end their connection, s; by default they remain. */
  readonly staySeconds?: number;
  /** How they end it: with a close frame, or not. */
  readonly ending?: "leave" | "cut";
  /** Whether they come back as pages do when their connection is lost. */
  readonly returns?: boolean;
}

export type Order =
  | { readonly type: "add"; readonly awaits: boolean } & Addition
  | { readonly type: "remove"; readonly count: number }
  | { readonly type: "report" };

/** The crowd after an order. Counts are since its start. */
export interface CrowdReply {
  readonly inside: number;
  readonly joins: number;
  /** Connections that clients cut without a close frame. */
  readonly cuts: number;
  /** Clients' connections that the server ended while they were inside, by close code. */
  readonly closes: Readonly<Record<string, number>>;
  /** How long each client that returned had been away, ms. */
  readonly backMs: readonly number[];
  /** How long a player at most had done nothing when the server took the seat, ms. */
  readonly heldMsMax: number;
  /** Attempts that did not lead to a room, by close code or HTTP status. */
  readonly refusals: Readonly<Record<string, number>>;
}

export class Crowd {
  readonly #process: TurnProcess<Order, CrowdReply>;

  /**
   * @param options.isUrgent whether it runs at the same priority as other processes, because its
   * times are measured
   */
  constructor(port: number, { seed, isUrgent = false }: { seed: number; isUrgent?: boolean }) {
    const args = [String(port), String(seed)];
    this.#process = new TurnProcess(PROCESS, {
      args,
      permissions: ["--allow-read", "--allow-net"],
    });
    if (!isUrgent) setPriority(this.#process.pid, PRIORITY);
  }

  /** Adds clients. @returns when each is inside or refused */
  add(addition: Addition): Promise<CrowdReply> {
    return this.#process.request({ type: "add", awaits: true, ...addition });
  }

  /** Adds clients and does not wait for them. */
  send(addition: Addition): Promise<CrowdReply> {
    return this.#process.request({ type: "add", awaits: false, ...addition });
  }

  /** Lets the oldest `count` clients leave. */
  remove(count: number): Promise<CrowdReply> {
    return this.#process.request({ type: "remove", count });
  }

  report(): Promise<CrowdReply> {
    return this.#process.request({ type: "report" });
  }

  /** How much CPU time all clients have taken so far, ms. */
  cpuMs(): Promise<number> {
    return cpuMsOf(this.#process.pid);
  }

  /** Ends the process, which cuts its clients' connections. */
  async end(): Promise<void> {
    await this.#process.end();
  }
}

const LETTERS = 26;
const CODE_A = 65;

/** A room code of four letters. @param n 0 … 17,575 */
export function roomCode(n: number): string {
  const letter = (place: number) =>
    String.fromCharCode(CODE_A + Math.floor(n / LETTERS ** place) % LETTERS);
  return `S${letter(2)}${letter(1)}${letter(0)}`;
}
