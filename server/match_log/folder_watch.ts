/**
 * Finds out when a folder that could not be written can be written again, because somebody has made
 * room on a full disk, or a network disk is back. It writes a file as long as some matches' logs,
 * and removes it:
 *
 *     a write failed → wait → write the probe → failed: wait again … written: the folder is well
 *
 * A process runs one probe, however many matches have lost their logs.
 */
import { messageOf } from "../ground/log.ts";
import { type Scheduler, systemScheduler } from "../ground/ticker.ts";

/** The wait before a probe, ms. */
const PROBE_EVERY_MS = 2_000;
/** Failures in close succession double the wait, up to this, ms. */
const PROBE_EVERY_MS_MAX = 64_000;
/** After this time without a failure, ms, the wait is back at its first value. */
const CALM_MS = 60_000;
/**
 * Two minutes of a full match and some states. If there is less room, the logs would soon be lost
 * again.
 */
const PROBE_BYTES = 256 * 1024;

export interface FolderWatchOptions {
  readonly folder: string;
  /** Called when the folder can be written again. @param seconds since it could not */
  readonly onRecovered: (seconds: number) => void;
  readonly scheduler?: Scheduler | undefined;
}

export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #scheduler: Scheduler;
  #failure = "";
  #failedAtMs = 0;
  #recoveredAtMs = -Infinity;
  #waitMs = PROBE_EVERY_MS;
  #cancel = () => {};
  #isStopped = false;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? systemScheduler;
  }

  /** Why the folder cannot be written; empty while it can. */
  get failure(): string {
    return this.#failure;
  }

  /** Notes that a write has failed. */
  fail(error: unknown): void {
    const isNews = this.#failure === "";
    this.#failure = messageOf(error);
    if (!isNews || this.#isStopped) return;

    this.#failedAtMs = this.#scheduler.now();
    const isCalm = this.#failedAtMs - this.#recoveredAtMs >= CALM_MS;
    this.#waitMs = isCalm ? PROBE_EVERY_MS : Math.min(2 * this.#waitMs, PROBE_EVERY_MS_MAX);
    this.#probeLater();
  }

  /** Stops probing. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #probeLater(): void {
    this.#cancel = this.#scheduler.after(this.#waitMs, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    const failure = await this.#failureOfWrite();
    if (this.#isStopped) return;
    if (failure !== undefined) {
      this.#failure = failure;
      return this.#probeLater();
    }
    this.#failure = "";
    this.#recoveredAtMs = this.#scheduler.now();
    this.#options.onRecovered((this.#recoveredAtMs - this.#failedAtMs) / 1000);
  }

  /** @returns why the probe cannot be written; undefined if it can */
  async #failureOfWrite(): Promise<string | undefined> {
    const path = `${this.#options.folder}/probe`;
    const bytes = new Uint8Array(PROBE_BYTES);
    try {
      using file = await Deno.open(path, { write: true, create: true, truncate: true });
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      // Some disks report only now that they are full.
      await file.syncData();
      return undefined;
    } catch (error) {
      return messageOf(error);
    } finally {
      await Deno.remove(path).catch(() => {});
    }
  }
}
