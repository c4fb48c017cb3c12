/**
 * Answers with match logs, which are megabytes. Requests wait in a queue in which addresses take
 * turns. One log is prepared at a time, and a few are sent side by side, as fast as their clients
 * read:
 *
 *     request → queue, a turn for each address → prepare → send, piece by piece → next
 *
 * Lists and all other answers do not wait here. A client that reads nothing loses its place to one
 * that waits.
 */
import type { ServerResponse } from "node:http";
import { HeldPlaces } from "../fairness/held_places.ts";
import { FairQueue } from "../fairness/fair_queue.ts";
import type { ServedLog } from "../match_log/match_archive.ts";
import { clock, wait } from "../ground/ticker.ts";
import { respondBytesSlowly, respondText } from "./answers.ts";

/** How many logs are sent at the same time. */
const SENDING_MAX = 8;
/**
 * While the logs being sent hold more memory than this, bytes, no further log is prepared. An hour
 * of a full match takes 3 MB.
 */
const SENDING_BYTES_MAX = 1 << 24;
/** How many requests may wait for their turn. Each holds a connection, and little more. */
const WAITING_MAX = 128;
/** How many requests of one address may wait. A page asks for one log at a time. */
const WAITING_PER_ADDRESS_MAX = 8;
/** After this time without reading, ms, a client loses its place to one that waits. */
const STALLED_MS = 2_000;
/** How often the server looks for such clients while others wait, ms. */
const LOOK_EVERY_MS = 500;

const TOO_BUSY = "Too many matches are being read now. Try again.";
const RETRY_AFTER_SECONDS = "5";

/** Prepares an answer. Called once, when the request's turn comes. */
export type Prepare = () => Promise<ServedLog>;

interface Download {
  readonly response: ServerResponse;
  readonly addressBlock: string;
  readonly prepare: Prepare;
  /** When the client last read something, ms. */
  readMs: number;
}

export class Downloads {
  readonly #waiting = new FairQueue<Download>();
  readonly #sending = new HeldPlaces<Download>();
  #sendingBytes = 0;
  #isPreparing = false;
  #isLooking = false;

  /**
   * Answers a request when its turn comes, or with 503 if too many wait.
   * @param addressBlock the client's
   */
  serve(response: ServerResponse, addressBlock: string, prepare: Prepare): void {
    if (!this.#makeRoomFor(addressBlock)) return respondBusy(response);
    const download: Download = { response, addressBlock, prepare, readMs: 0 };
    this.#waiting.push(download, addressBlock);
    response.once("close", () => {
      this.#waiting.delete(download);
      this.#advance();
    });
    this.#advance();
    if (this.#waiting.size > 0 && !this.#isLooking) void this.#look();
  }

  /** @returns whether another request of this address may wait */
  #makeRoomFor(addressBlock: string): boolean {
    if (this.#waiting.countsOf(addressBlock).at(-1)! >= WAITING_PER_ADDRESS_MAX) return false;
    if (this.#waiting.size < WAITING_MAX) return true;
    const displaced = this.#waiting.itemFor(addressBlock);
    if (displaced === undefined) return false;
    this.#waiting.delete(displaced);
    respondBusy(displaced.response);
    return true;
  }

  /** Prepares the next log if there is a place for it. */
  #advance(): void {
    const { next } = this.#waiting;
    if (next === undefined || this.#isPreparing) return;
    if (this.#sending.size >= SENDING_MAX || this.#sendingBytes >= SENDING_BYTES_MAX) {
      return this.#displaceFor(next);
    }
    this.#waiting.shift();
    this.#isPreparing = true;
    void this.#answer(next);
  }

  /** It never rejects. */
  async #answer(download: Download): Promise<void> {
    const { response, prepare, addressBlock } = download;

    // Prepare it. While it is sent, the next one may already be prepared.
    let log: ServedLog;
    try {
      log = await prepare();
    } catch {
      log = { status: 500, reason: "The match cannot be read." };
    }
    this.#isPreparing = false;

    // Nothing to send, or nobody to send it to
    if (log.status !== 200) {
      if (!response.destroyed) respondText(response, log.status, log.reason);
      return this.#advance();
    }
    const { bytes, release, isGrowing = false } = log;
    if (response.destroyed) {
      release?.();
      return this.#advance();
    }

    // Send it.
    const heldBytes = bytes.buffer.byteLength;
    download.readMs = clock.now();
    this.#sending.add(download, addressBlock);
    this.#sendingBytes += heldBytes;
    this.#advance();
    await respondBytesSlowly(response, bytes, {
      isGrowing,
      onRead: () => download.readMs = clock.now(),
    });
    this.#sending.delete(download);
    this.#sendingBytes -= heldBytes;
    release?.();
    this.#advance();
  }

  /**
   * Ends an answer to make room for one that waits: preferably one that its client does not read,
   * otherwise one from a network that holds more than its share.
   */
  #displaceFor({ addressBlock }: Download): void {
    const nowMs = clock.now();
    const stalled = this.#sending.placeFor(
      { addressBlock, isIdle: false },
      ({ readMs }) => nowMs - readMs > STALLED_MS ? 0 : 1,
    );
    if (stalled === undefined) return;
    this.#sending.delete(stalled);
    stalled.response.destroy();
  }

  /**
   * Looks for unread answers while others wait, because an answer that its client does not read
   * causes no event.
   */
  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      await wait(LOOK_EVERY_MS);
      this.#advance();
    }
    this.#isLooking = false;
  }
}

function respondBusy(response: ServerResponse): void {
  response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
  respondText(response, 503, TOO_BUSY);
}
