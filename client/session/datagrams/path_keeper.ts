/**
 * Keeps one client's datagram path: opens it on an offer, hands over to it, and goes back to the
 * socket when it is dead.
 *
 *     none  --offer-->  opening  --session open-->  probing  --pong by datagram-->  in use  --silence, or its end-->  none
 *
 * A browser takes up to 30 s to notice that nothing answers, so the keeper does not wait for its
 * verdict (DESIGN 12.4).
 */
import { type ClientPath, CUT, type PathOffer } from "../../../shared/netcode/link.ts";
import type { Tick } from "../../../shared/netcode/game.ts";

/**
 * How long a session may take to open, and then the first pong to come, ms: `OPEN_MS` and
 * `OPEN_ROUND_TRIPS` round trips, at most `OPEN_MS_MAX`.
 */
const OPEN_MS = 500;
const OPEN_ROUND_TRIPS = 4;
const OPEN_MS_MAX = 2_000;
/** The time between two pings on a path that is not in use yet, ms. */
const PROBE_MS = 100;
/** A path in use is dead if it delivers nothing for this time, ms: thirty ticks at 20 Hz. */
const DOWN_SILENT_MS = 1_500;
/**
 * It is also dead if the server hears nothing by it for this time, ms: it answers no ping, and
 * announces no newer command from this seat.
 */
const UP_SILENT_MS = 1_800;
/** A client that did nothing for longer than this, ms, slept, so it could neither hear nor send. */
const ASLEEP_MS = 1_200;
/** How long to wait after a failed or dead path before opening another, ms. */
const RETRY_MS = 60_000;

/**
 * Codes with which a path ends (RFC 6455 §7.4.1): the server takes back a path that is not needed;
 * nothing arrived.
 */
const NORMAL = 1000;

/** Which way messages take, and why. */
export interface PathReport {
  readonly transport: "websocket" | "webtransport";
  /** A sentence for the debug overlay. */
  readonly why: string;
  /** How often this client went over to datagrams, and back. */
  readonly handovers: number;
  readonly returns: number;
}

interface PathKeeperOptions {
  /** Sends a ping by the path. */
  readonly sendPing: () => void;
  /** Called when the path comes into use. */
  readonly onUse: () => void;
  /** Says by the reliable channel that this client is back. */
  readonly sendBack: () => void;
}

export class PathKeeper {
  readonly #path: ClientPath;
  readonly #options: PathKeeperOptions;
  #state: "none" | "opening" | "probing" | "in use" = "none";
  #deadlineMs = 0;
  #openMs = 0;
  #nextPingMs = Infinity;
  #notBeforeMs = -Infinity;
  #advancedMs = 0;
  /**
   * When a datagram last arrived, and when something last showed that the server hears this client.
   */
  #downAtMs = 0;
  #upAtMs = 0;
  #announcedTick: Tick = -1;
  #why = "the server has not offered datagrams";
  #handovers = 0;
  #returns = 0;

  constructor(path: ClientPath, options: PathKeeperOptions) {
    this.#path = path;
    this.#options = options;
  }

  get report(): PathReport {
    const transport = this.#state === "in use" ? "webtransport" : "websocket";
    return { transport, why: this.#why, handovers: this.#handovers, returns: this.#returns };
  }

  /** Opens an offered path. @param roundTripMs the socket's */
  onOffer(offer: PathOffer, { nowMs, roundTripMs }: { nowMs: number; roundTripMs: number }): void {
    if (this.#state !== "none" || nowMs < this.#notBeforeMs) return;
    this.#state = "opening";
    this.#why = "a session is opening";
    this.#openMs = Math.min(OPEN_MS_MAX, OPEN_MS + OPEN_ROUND_TRIPS * roundTripMs);
    this.#deadlineMs = nowMs + this.#openMs;
    this.#path.open(offer);
  }

  /**
   * Registers an arrived datagram.
   * @param isPong whether it shows that the server heard one, too
   */
  onDatagram(nowMs: number, isPong: boolean): void {
    this.#downAtMs = nowMs;
    if (!isPong) return;
    this.#upAtMs = nowMs;
    if (this.#state !== "probing") return;
    this.#state = "in use";
    this.#why = "the server offered datagrams, and they arrive";
    this.#handovers++;
    this.#path.use();
    this.#options.onUse();
  }

  /**
   * Does what is due.
   * @param announcedTick the newest tick with an announced command from this client
   */
  advance(nowMs: number, announcedTick: Tick): void {
    if (announcedTick > this.#announcedTick) this.#upAtMs = nowMs;
    this.#announcedTick = announcedTick;
    if (nowMs - this.#advancedMs > ASLEEP_MS) this.#downAtMs = this.#upAtMs = nowMs;
    this.#advancedMs = nowMs;
    if (this.#state === "none") return;
    const fault = this.#faultAt(nowMs);
    if (fault !== undefined) return this.#goBack(fault, nowMs);
    if (this.#state === "opening" && this.#path.isOpen()) {
      this.#state = "probing";
      this.#deadlineMs = nowMs + this.#openMs;
      this.#nextPingMs = nowMs;
    }
    if (this.#state !== "probing" || nowMs < this.#nextPingMs) return;
    this.#nextPingMs = nowMs + PROBE_MS;
    this.#options.sendPing();
  }

  /**
   * When `advance` must be called again at the latest, ms; it checks an opening path in each frame.
   */
  get nextDueMs(): number {
    if (this.#state === "none" || this.#state === "opening") {
      return this.#state === "none" ? Infinity : this.#deadlineMs;
    }
    if (this.#state === "probing") return Math.min(this.#nextPingMs, this.#deadlineMs);
    return Math.min(this.#downAtMs + DOWN_SILENT_MS, this.#upAtMs + UP_SILENT_MS);
  }

  /** @returns why the path is over, in words; undefined if it is not */
  #faultAt(nowMs: number): { code: number; reason: string } | undefined {
    const ended = this.#path.ended();
    const cut = (reason: string) => ({ code: CUT, reason });
    if (ended !== undefined) {
      return { code: ended.code, reason: ended.reason || "the session has ended" };
    }
    if (this.#state !== "in use") {
      return nowMs >= this.#deadlineMs
        ? cut(this.#path.doubt() || "nothing answers by UDP")
        : undefined;
    }
    if (nowMs - this.#downAtMs >= DOWN_SILENT_MS) return cut("no datagram arrived");
    return nowMs - this.#upAtMs >= UP_SILENT_MS ? cut("the server heard no datagram") : undefined;
  }

  #goBack({ code, reason }: { code: number; reason: string }, nowMs: number): void {
    const wasInUse = this.#state === "in use";
    const isWithdrawn = code === NORMAL;
    this.#state = "none";
    this.#nextPingMs = Infinity;
    this.#why = isWithdrawn
      ? reason
      : `${wasInUse ? "datagrams ended" : "no datagrams"}: ${reason}`;
    if (!isWithdrawn) this.#notBeforeMs = nowMs + RETRY_MS;
    this.#path.end(code, reason);
    if (!wasInUse) return;
    this.#returns++;
    this.#options.sendBack();
  }
}
