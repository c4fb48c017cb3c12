/** Operators' actions, carried out over all match processes. */
import { Bans } from "../../bans.ts";
import type { Clock } from "../../../shared/netcode/link.ts";
import type { MeantLinks, OperatedRooms } from "../../ops/operations.ts";
import type { RoomDetails } from "../../match/client_details.ts";
import type { ToWorker } from "../messages.ts";
import type { RoomDirectory } from "./room_directory.ts";
import type { WorkerProcess } from "./worker_process.ts";

type AskedWorker = Pick<WorkerProcess, "number" | "ask">;

export class FrontOperations implements OperatedRooms {
  readonly hasSeveralProcesses = true;
  readonly #workers: readonly AskedWorker[];
  readonly #directory: Pick<RoomDirectory, "find">;

  constructor(workers: readonly AskedWorker[], directory: Pick<RoomDirectory, "find">) {
    this.#workers = workers;
    this.#directory = directory;
  }

  async details(): Promise<RoomDetails[]> {
    const all = await Promise.all(this.#workers.map(async (worker) => {
      const rooms = await worker.ask({ what: "details" }) ?? [];
      return rooms.map(({ clients, ...room }): RoomDetails => ({
        worker: worker.number,
        ...room,
        clients: clients.map((each) => ({
          ...each,
          transport: each.transport,
          seat: each.seat,
          slackMs: each.slackMs ?? NaN,
        })),
      }));
    }));
    return all.flat();
  }

  /** Each process numbers its own links, so a link's number needs its process. */
  async closeLinks(
    { worker, ...meant }: MeantLinks,
    code: number,
    reason: string,
  ): Promise<number> {
    const asked = this.#workers.filter(({ number }) => worker === undefined || number === worker);
    const closed = await Promise.all(
      asked.map((each) => each.ask({ what: "closeLinks", ...meant, code, reason })),
    );
    return sumOf(closed);
  }

  async closeRoom(game: string, room: string, reason: string): Promise<boolean> {
    const number = this.#directory.find(game, room);
    if (number === undefined) return false;
    return await this.#workers[number - 1]!.ask({ what: "closeRoom", game, room, reason }) ?? false;
  }

  async announce(text: string): Promise<number> {
    const asked = this.#workers.map((each) => each.ask({ what: "announce", text }));
    return sumOf(await Promise.all(asked));
  }
}

/** The whole server's bans, which each process with sockets also holds. */
export class SharedBans extends Bans {
  readonly #send: (message: ToWorker) => void;

  /** @param options.send sends a message to every match process */
  constructor(clock: Clock, { send }: { send: (message: ToWorker) => void }) {
    super(clock);
    this.#send = send;
  }

  override add(addressBlock: string, seconds: number): void {
    super.add(addressBlock, seconds);
    this.#send({ type: "ban", ban: { addressBlock, seconds } });
  }

  override remove(addressBlock: string): boolean {
    this.#send({ type: "unban", addressBlock });
    return super.remove(addressBlock);
  }
}

function sumOf(counts: readonly (number | undefined)[]): number {
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
