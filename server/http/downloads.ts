/**
 * The answers with logs of matches, which are megabytes. Requests wait in a queue that goes round
 * the addresses. One log is prepared at a time, and a few are sent at a time, as fast as their
 * clients read:
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
import { clock, wait } from "../ticker.ts";
import { respondBytesSlowly, respondText } from "./answers.ts";

/** Logs that are sent at the same time. */
const SENDING_MAX = 8;
/**
 * No further log is prepared while those that are being sent hold more memory, bytes. An hour of a
 * full match takes 3 MB.
 */
const SENDING_BYTES_MAX = 1 << 24;
/** Requests that wait for their turn. Each holds a connection, and little more. */
const WAITING_MAX = 128;
/** Requests of one address that wait: a page asks for one log at a time. */
const WAITING_PER_ADDRESS_MAX = 8;
/** A client that has read nothing for so long, ms, loses its place to one that waits. */
const STALLED_MS = 2_000;
/** How often the server looks for such clients while others wait, ms. */
const LOOK_EVERY_MS = 500;

const TOO_BUSY = "Too many matches are being read now. Try again.";
const RETRY_AFTER_SECONDS = "5";

/** Prepares the answer. It is called once, when it is the request's turn. */
export type Prepare = () => Promise<ServedLog>;

interface Download {
  readonly response: ServerResponse;
  readonly addressBlock: string;
  readonly prepare: Prepare;
  /** When the client has last read something, ms. */
  readMs: number;
}

export class Downloads {
  readonly #waiting = new FairQueue<Download>();
  readonly #sending = new HeldPlaces<Download>();
  #sendingBytes = 0;
  #isPreparing = false;
  #isLooking = false;

  /**
   * Answers a request when it is its turn, or with 503 if too many wait.
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

  /** @returns whether a request of this address may wait */
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

    // Prepare it. The next one may be prepared after this, while this one is sent.
    let log: ServedLog;
    try {
      log = await prepare();
    } catch {
      log = { status: 500, reason: "The match cannot be read." };
    }
    this.#isPreparing = false;

    // Nothing to send, or no client any more
    if (log.status !== 200) {
      if (!response.destroyed) respondText(response, log.status, log.reason);
      return this.#advance();
    }
    const { bytes, release } = log;
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
    await respondBytesSlowly(response, bytes, () => download.readMs = clock.now());
    this.#sending.delete(download);
    this.#sendingBytes -= heldBytes;
    release?.();
    this.#advance();
  }

  /**
   * Ends an answer for one that waits: first one that is not read, then one of a network that has
   * more than its share.
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

  /** An answer that its client does not read causes no event, so it has to be looked for. */
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
