/**
 * Many light clients in a process of their own, so that they take no time from the honest bots:
 * `crowd.ts` starts it.
 */
import { clock } from "../../../../server/ground/ticker.ts";
import { retryDelayMs } from "../../../../client/net/retry_delay.ts";
import { refusalOf } from "../../../../client/ui/connection_messages.ts";
import { Random } from "../../../../shared/random.ts";
import { serveTurns } from "../../bench/physics/turn_process.ts";
import type { Addition, CrowdReply, Order } from "./crowd.ts";
import { LightClient } from "./light_client.ts";

/** How soon clients send after a command is due, ms. */
const ADVANCE_EVERY_MS = 5;
/** A client that neither joins nor is refused within this time is not waited for, ms. */
const JOIN_TIMEOUT_MS = 10_000;

/** The status that answers an upgrade. */
const SWITCHING_PROTOCOLS = 101;

/** One client's place, to which the client may return over several connections. */
class Visitor {
  readonly #crowd: CrowdOfClients;
  readonly #addition: Addition;
  readonly #onDecided: () => void;
  #client: LightClient | undefined;
  #failedAttempts = 0;
  /** When it was inside last; undefined before its first join, and while it is inside. */
  #lostAtMs: number | undefined;
  #wasInside = false;
  /** Whether it ends its connection itself. */
  #isLeaving = false;

  constructor(crowd: CrowdOfClients, addition: Addition, onDecided: () => void) {
    this.#crowd = crowd;
    this.#addition = addition;
    this.#onDecided = onDecided;
    this.#client = this.#connect();
  }

  get isInside(): boolean {
    return this.#client?.isInside ?? false;
  }

  advance(nowMs: number): void {
    this.#client?.advance(nowMs);
  }

  end(how: "leave" | "cut"): void {
    this.#isLeaving = true;
    if (how === "cut") this.#crowd.counts.cuts++;
    this.#client?.[how]();
  }

  #connect(): LightClient {
    const { room, role, address, transport = "websocket" } = this.#addition;
    return new LightClient({
      room,
      role,
      address,
      transport,
      port: this.#crowd.port,
      seed: this.#crowd.random.bits(),
      resume: this.#client?.resume,
      onJoined: () => this.#onJoined(),
      onEnded: (code, status) => this.#onEnded(code, status),
    });
  }

  #onJoined(): void {
    const { counts } = this.#crowd;
    const { staySeconds, ending = "leave" } = this.#addition;
    counts.joins++;
    if (this.#lostAtMs !== undefined) counts.backMs.push(Math.round(clock.now() - this.#lostAtMs));
    this.#lostAtMs = undefined;
    this.#failedAttempts = 0;
    this.#wasInside = true;
    this.#onDecided();
    if (staySeconds !== undefined) setTimeout(() => this.end(ending), staySeconds * 1000);
  }

  #onEnded(code: number, status: number): void {
    const { counts, random } = this.#crowd;
    const ends = this.#wasInside ? counts.closes : counts.refusals;
    const cause = status === SWITCHING_PROTOCOLS || status === 0 ? code : status;
    if (!this.#isLeaving) ends[cause] = (ends[cause] ?? 0) + 1;
    if (this.#wasInside) this.#lostAtMs = clock.now();
    const idleSinceMs = this.#client?.idleSinceMs;
    if (idleSinceMs !== undefined) {
      counts.heldMsMax = Math.max(counts.heldMsMax, clock.now() - idleSinceMs);
    }
    this.#wasInside = false;
    this.#onDecided();
    if (this.#isLeaving || !this.#addition.returns || refusalOf(code) !== undefined) {
      return this.#crowd.forget(this);
    }
    const waitMs = retryDelayMs(this.#failedAttempts++, {
      closeCode: code,
      random: random.fraction(),
    });
    setTimeout(() => this.#client = this.#connect(), waitMs);
  }
}

class CrowdOfClients {
  readonly port: number;
  readonly random: Random;
  /** In the order of their additions. */
  readonly #visitors = new Set<Visitor>();
  readonly counts = {
    joins: 0,
    cuts: 0,
    heldMsMax: 0,
    backMs: [] as number[],
    closes: {} as Record<string, number>,
    refusals: {} as Record<string, number>,
  };

  constructor(port: number, seed: number) {
    this.port = port;
    this.random = new Random(seed);
    setInterval(() => {
      const nowMs = clock.now();
      for (const visitor of this.#visitors) visitor.advance(nowMs);
    }, ADVANCE_EVERY_MS);
  }

  /** Carries out an order. @returns the crowd as it is then */
  async obey(order: Order): Promise<CrowdReply> {
    if (order.type === "add") {
      const allDecided = Promise.all(
        Array.from({ length: order.count }, () => this.#addOne(order)),
      );
      if (order.awaits) await allDecided;
    } else if (order.type === "remove") {
      [...this.#visitors].slice(0, order.count).forEach((visitor) => visitor.end("leave"));
    }
    return {
      ...this.counts,
      inside: [...this.#visitors].filter(({ isInside }) => isInside).length,
    };
  }

  /** Forgets a visitor who does not come back. */
  forget(visitor: Visitor): void {
    this.#visitors.delete(visitor);
  }

  /** Resolves when the client is inside or refused. */
  #addOne(addition: Addition): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, JOIN_TIMEOUT_MS);
      this.#visitors.add(new Visitor(this, addition, resolve));
    });
  }
}

const [port, seed] = Deno.args.map(Number);
const crowd = new CrowdOfClients(port!, seed!);
await serveTurns((order: Order) => crowd.obey(order));
Deno.exit();
