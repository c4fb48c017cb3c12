/** The page's side of a match in a worker of the page. */
import { CUT, type Link } from "../../shared/netcode/link.ts";
import type { LoggedPlayer } from "../../shared/netcode/match_log/records.ts";
import { PortLink } from "./port_link.ts";
import type { BegunMatch, WorkerReport, WorkerRequest } from "./solo_worker.ts";

export interface WorkerMatchOptions {
  /** @returns a new worker that runs `runSoloWorker` with the page's game */
  readonly newWorker: () => Worker;
  readonly begun: BegunMatch;
  /** Called after each tick. */
  readonly onTick?: () => void;
}

/** How long the worker may take to give its log, ms: it only copies it. */
const LOG_MS_MAX = 5000;

export class WorkerMatch {
  readonly #worker: Worker;
  readonly #links = new Set<PortLink>();
  #isOver = false;
  /** The newest tick; −1 before the first report. */
  tick = -1;
  /** Who has a seat; a new list with each change. */
  players: readonly LoggedPlayer[] = [];

  constructor({ newWorker, begun, onTick }: WorkerMatchOptions) {
    const worker = this.#worker = newWorker();
    worker.onerror = (event) => {
      event.preventDefault();
      this.end();
    };
    worker.onmessage = ({ data }: MessageEvent<WorkerReport>) => {
      this.tick = data.tick;
      if (data.players !== undefined) this.players = data.players;
      onTick?.();
    };
    this.#request({ type: "begin", ...begun });
  }

  /** Whether its worker has failed, or `end` was called. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Lets a client in.
   * @param options.token the token of its seat, which it has already or gets now; by default one of
   *   the match's own
   * @param options.ordered false for a client behind a datagram link
   * @returns the client's end of the link
   */
  admit({ token, ordered = true }: { token?: string; ordered?: boolean } = {}): PortLink {
    const { port1, port2 } = new MessageChannel();
    const link = new PortLink(port1, { ordered });
    this.#links.add(link);
    link.onEnd = () => void this.#links.delete(link);
    this.#request({ type: "admit", port: port2, token, ordered }, [port2]);
    if (this.#isOver) link.end(CUT, "");
    return link;
  }

  /** Lets a client in that comes by a link from elsewhere. @param link this page's end */
  admitFrom(link: Link, { token }: { token: string }): void {
    const inner = this.admit({ token, ordered: link.ordered });
    link.onMessage((bytes, reliably) => inner.carry(bytes, reliably));
    link.onClose((code, reason) => inner.close(code, reason));
    inner.onMessage((bytes, reliably) => reliably ? link.sendReliably(bytes) : link.send(bytes));
    inner.onClose((code, reason) => link.close(code, reason));
  }

  /** @returns the match's log so far; undefined if the match has failed, or hangs */
  async log(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { port1, port2 } = new MessageChannel();
    const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer> | undefined>();
    const timer = setTimeout(() => resolve(undefined), LOG_MS_MAX);
    port1.onmessage = ({ data }) => resolve(data);
    this.#request({ type: "log", port: port2 }, [port2]);
    const bytes = await promise;
    clearTimeout(timer);
    port1.close();
    return bytes;
  }

  /** @param pace how much of the real time passes, 0 … 1 */
  setPace(pace: number): void {
    this.#request({ type: "pace", pace });
  }

  /** Ends the match, and every link to it. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#worker.terminate();
    for (const link of [...this.#links]) link.end(CUT, "");
  }

  #request(request: WorkerRequest, transfer: Transferable[] = []): void {
    this.#worker.postMessage(request, transfer);
  }
}
