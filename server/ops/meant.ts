/** What operators mean: nodes and links, and what is asked of them. */

/** A node, and how operators name it. */
export interface OperatedNode {
  readonly node: string;
  /** Its number among the match processes of its machine; undefined for the only process. */
  readonly worker: number | undefined;
  /** Where its players get tickets; undefined for a machine by itself. */
  readonly machine: string | undefined;
  /** Why it takes no players; empty if it takes them. */
  readonly reason: string;
  /** The share of real time that its ticks take. */
  readonly load: number;
  readonly rooms: number;
  readonly clients: number;
}

/** What is asked of a node that shall take nobody more, or newcomers again. */
export interface Cordon {
  readonly isCordoned: boolean;
  /** Whether its matches go to other nodes, as far as these take them. */
  readonly handsOver: boolean;
}

/** Selects nodes: one, those of one machine, or all of them if nothing is said. */
export interface MeantNodes {
  /** The number of a process of this machine. */
  readonly worker?: number | undefined;
  readonly node?: string | undefined;
  /** The origin of a machine. */
  readonly machine?: string | undefined;
}

/** Selects links: one by its number, or all of an address. */
export interface MeantLinks {
  readonly link?: number | undefined;
  readonly addressBlock?: string | undefined;
  /** Restricts the selection to one match process of this machine, by number; undefined for all. */
  readonly worker?: number | undefined;
  /** Restricts it to one node, by name; undefined for all. */
  readonly node?: string | undefined;
}

/** Whether the selection includes a peer's link. */
export function isMeant(
  peer: { readonly link: number; readonly addressBlock: string },
  { link, addressBlock }: MeantLinks,
): boolean {
  return peer.link === link || peer.addressBlock === addressBlock;
}
