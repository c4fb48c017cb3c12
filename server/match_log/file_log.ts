/**
 * One match's log as a file. A disk error ends the file but never the match: the log may begin
 * again later, empty, when its owner allows it.
 */
import type { MatchLog } from "../match/match_recorder.ts";

export interface FileLogOptions {
  readonly id: string;
  readonly epoch: number;
  readonly path: string;
  readonly syncsEachTick: boolean;
  readonly onEnd: () => void;
  readonly onLeft: () => void;
  /** Reports that the match goes on without a log, perhaps only for a while. */
  readonly onFailed: (error: unknown) => void;
  /** @returns whether a log that failed may begin again now; each call that returns true counts */
  readonly mayBeginAgain: () => boolean;
  readonly onBegunAgain: () => void;
}

export class FileLog implements MatchLog {
  readonly id: string;
  readonly epoch: number;
  readonly #options: FileLogOptions;
  #file: Deno.FsFile | undefined;
  /** Whether it has no file because writing failed while its match goes on. */
  #hasFailed = false;
  /** Whether bytes may not be on the disk. */
  #isDirty = false;
  #syncing: Promise<void> | undefined;

  constructor(options: FileLogOptions) {
    this.id = options.id;
    this.epoch = options.epoch;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /**
   * Opens the file.
   * @param bytes the length of its complete records; a torn one behind them is cut off
   */
  open(bytes: number): void {
    this.#guard(() => {
      const file = this.#file = Deno.openSync(this.#options.path, { create: true, write: true });
      file.truncateSync(bytes);
      file.seekSync(bytes, Deno.SeekMode.Start);
    });
  }

  beginAgain(): boolean {
    if (!this.#hasFailed || !this.#options.mayBeginAgain()) return false;
    this.#hasFailed = false;
    this.open(0);
    if (this.isOpen) this.#options.onBegunAgain();
    return this.isOpen;
  }

  append(frame: Uint8Array): Promise<void> | undefined {
    this.#guard(() => {
      for (let at = 0; at < frame.length && this.#file !== undefined;) {
        at += this.#file.writeSync(frame.subarray(at));
      }
      this.#isDirty = true;
    });
    return this.#options.syncsEachTick ? this.sync() : undefined;
  }

  end(frame: Uint8Array): void {
    this.append(frame);
    this.#hasFailed = false;
    if (this.#file === undefined) return;
    this.#closeFile();
    this.#options.onEnd();
  }

  /** Closes the file as it is, because no process can continue the match. */
  abandon(): void {
    this.#hasFailed = false;
    this.#closeFile();
  }

  /** Closes the file, because another machine runs the match. */
  leave(): void {
    this.#hasFailed = false;
    if (this.#file === undefined) return;
    this.#closeFile();
    this.#options.onLeft();
  }

  /** Writes to the disk what the operating system holds. @returns when it is there */
  sync(): Promise<void> | undefined {
    const file = this.#file;
    if (file === undefined || !this.#isDirty) return this.#syncing;

    // One at a time: what comes meanwhile waits for the next one.
    if (this.#syncing !== undefined) return this.#syncing.then(() => this.sync());

    this.#isDirty = false;
    this.#syncing = file.syncData().catch((error) => {
      if (this.#file === file) this.#fail(error);
    }).finally(() => this.#syncing = undefined);
    return this.#syncing;
  }

  async close(): Promise<void> {
    await this.sync();
    this.#hasFailed = false;
    this.#closeFile();
  }

  #guard(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#closeFile();
    this.#hasFailed = true;
    this.#options.onFailed(error);
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    file?.close();
  }
}
