/** Operators' actions, carried out over all nodes: a machine's processes, or those of all machines. */
import { mergedText } from "../metrics/merged_metrics.ts";
import type { RoomDetails } from "../match/client_details.ts";
import { type NodeHeartbeat, ticketsAt } from "./nodes.ts";
import type { AskedNodes } from "../ops/asked_nodes.ts";
import type { Cordon, MeantLinks, MeantNodes, OperatedNode } from "../ops/meant.ts";
import type { OperatedRooms } from "../ops/operations.ts";

/**
 * The living nodes of all machines, as operators name them.
 * @param ownUrl the origin of this machine, whose nodes come first
 */
export function operatedNodes(
  living: readonly NodeHeartbeat[],
  ownUrl: string,
): OperatedNode[] {
  const nodes = living.map((heartbeat) => ({
    node: heartbeat.node,
    worker: heartbeat.process,
    machine: ticketsAt(heartbeat),
    reason: heartbeat.health?.reason ?? "",
    load: heartbeat.load,
    rooms: heartbeat.health?.rooms ?? heartbeat.matches,
    clients: heartbeat.health?.clients ?? 0,
  }));
  const isOwn = ({ machine }: OperatedNode) => Number(machine === ownUrl);
  return nodes.sort((a, b) =>
    isOwn(b) - isOwn(a) || Number(a.machine > b.machine) - Number(a.machine < b.machine) ||
    (a.worker ?? 0) - (b.worker ?? 0)
  );
}

export class OperatedNodes implements OperatedRooms {
  readonly hasSeveralProcesses = true;
  readonly #nodes: () => readonly OperatedNode[];
  readonly #asked: AskedNodes;

  /** @param nodes those that live */
  constructor(nodes: () => readonly OperatedNode[], asked: AskedNodes) {
    this.#nodes = nodes;
    this.#asked = asked;
  }

  /** The nodes that live, for the page. */
  nodes(): readonly OperatedNode[] {
    return this.#nodes();
  }

  /** The metrics of all nodes as one text. A node that does not answer in time is left out. */
  async metricsText(): Promise<string> {
    const all = await Promise.all(
      this.#nodes().map(async ({ node, worker, machine }) => ({
        labels: { ...machine !== undefined && { machine }, ...worker !== undefined && { worker } },
        families: await this.#asked.families(node),
      })),
    );
    return mergedText(all);
  }

  async details(): Promise<RoomDetails[]> {
    const all = await Promise.all(
      this.#nodes().map(async ({ node, worker, machine }) => {
        const rooms = await this.#asked.details(node);
        const place = { worker, ...machine !== undefined && { node, machine } };
        return rooms.map((room): RoomDetails => ({ ...place, ...room }));
      }),
    );
    return all.flat();
  }

  /** @returns the name of the node that has a room */
  async nodeOf(game: string, room: string): Promise<string | undefined> {
    const rooms = await this.details();
    return rooms.find((each) => each.game === game && each.room === room)?.node;
  }

  /** Each process numbers its own links, so a link's number needs its process. */
  async closeLinks(
    { worker, node, ...meant }: MeantLinks,
    code: number,
    reason: string,
  ): Promise<number> {
    return await this.#sum(
      this.#meant({ worker, node }),
      (each) => this.#asked.closeLinks(each, { ...meant, code, reason }),
    );
  }

  async kick({ link = -1, ...place }: MeantLinks, reason: string): Promise<number> {
    return await this.#sum(
      this.#meant(place),
      (each) => this.#asked.kick(each, { link, reason }),
    );
  }

  async cordon(
    { worker, node, machine }: MeantNodes,
    asked: Cordon,
  ): Promise<{ readonly nodes: number; readonly matches: number }> {
    const meant = machine === undefined
      ? this.#meant({ worker, node })
      : this.#nodes().filter((each) => each.machine === machine);
    const answers = await Promise.all(meant.map((each) => this.#asked.cordon(each.node, asked)));
    const taken = answers.filter((each) => each !== undefined);
    return { nodes: taken.length, matches: taken.reduce((sum, count) => sum + count, 0) };
  }

  async closeRoom(game: string, room: string, reason: string): Promise<boolean> {
    const asked = this.#nodes().map(({ node }) =>
      this.#asked.closeRoom(node, { game, room, reason })
    );
    return (await Promise.all(asked)).includes(true);
  }

  async announce(text: string): Promise<number> {
    return await this.#sum(this.#nodes(), (each) => this.#asked.announce(each, text));
  }

  /** A number alone means a process of this machine, whose nodes come first. */
  #meant({ worker, node }: Pick<MeantLinks, "worker" | "node">): readonly OperatedNode[] {
    const nodes = this.#nodes();
    if (node !== undefined) return nodes.filter((each) => each.node === node);
    if (worker === undefined) return nodes;
    return nodes.filter((each) => each.worker === worker).slice(0, 1);
  }

  async #sum(
    nodes: readonly OperatedNode[],
    act: (node: string) => Promise<number>,
  ): Promise<number> {
    const counts = await Promise.all(nodes.map(({ node }) => act(node)));
    return counts.reduce((sum, count) => sum + count, 0);
  }
}
