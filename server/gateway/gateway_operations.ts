/** Operators' actions, carried out over all match processes. */
import { Bans } from "../bans.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { AskedNodes } from "../ops/asked_nodes.ts";
import type { MeantLinks, OperatedRooms } from "../ops/operations.ts";
import type { RoomDetails } from "../match/client_details.ts";
import type { MatchProcess } from "./match_process.ts";
import type { RoomDirectory } from "./room_directory.ts";

type AskedProcess = Pick<MatchProcess, "number" | "node">;

export class GatewayOperations implements OperatedRooms {
  readonly hasSeveralProcesses = true;
  readonly #processes: readonly AskedProcess[];
  readonly #directory: Pick<RoomDirectory, "find">;
  readonly #asked: AskedNodes;

  constructor(
    processes: readonly AskedProcess[],
    { directory, asked }: { directory: Pick<RoomDirectory, "find">; asked: AskedNodes },
  ) {
    this.#processes = processes;
    this.#directory = directory;
    this.#asked = asked;
  }

  async details(): Promise<RoomDetails[]> {
    const all = await Promise.all(this.#processes.map(async ({ number: worker, node }) => {
      const rooms = await this.#asked.details(node);
      return rooms.map((room): RoomDetails => ({ worker, ...room }));
    }));
    return all.flat();
  }

  /** Each process numbers its own links, so a link's number needs its process. */
  async closeLinks(
    { worker, ...meant }: MeantLinks,
    code: number,
    reason: string,
  ): Promise<number> {
    const meantHere = this.#processes.filter(({ number }) =>
      worker === undefined || number === worker
    );
    return sumOf(
      await Promise.all(
        meantHere.map(({ node }) => this.#asked.closeLinks(node, { ...meant, code, reason })),
      ),
    );
  }

  async closeRoom(game: string, room: string, reason: string): Promise<boolean> {
    const number = this.#directory.find(game, room);
    if (number === undefined) return false;
    return await this.#asked.closeRoom(this.#processes[number - 1]!.node, { game, room, reason });
  }

  async announce(text: string): Promise<number> {
    return sumOf(
      await Promise.all(this.#processes.map(({ node }) => this.#asked.announce(node, text))),
    );
  }
}

/** The whole server's bans, which each process with sockets also holds. */
export class SharedBans extends Bans {
  readonly #processes: () => readonly Pick<MatchProcess, "ban" | "unban">[];

  /** @param processes all match processes */
  constructor(clock: Clock, processes: () => readonly Pick<MatchProcess, "ban" | "unban">[]) {
    super(clock);
    this.#processes = processes;
  }

  override add(addressBlock: string, seconds: number): void {
    super.add(addressBlock, seconds);
    for (const process of this.#processes()) process.ban(addressBlock, seconds);
  }

  override remove(addressBlock: string): boolean {
    for (const process of this.#processes()) process.unban(addressBlock);
    return super.remove(addressBlock);
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
