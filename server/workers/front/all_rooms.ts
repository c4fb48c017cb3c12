/** The lobby's list over all match processes. */
import type { RoomListing } from "../../messages/room_listing.ts";
import type { WorkerProcess } from "./worker_process.ts";

/** A room, with its game if several are hosted. */
type Listing = RoomListing & { readonly game?: string };

interface Listed {
  readonly listing: Listing;
  /** Whether its process takes players. */
  readonly isOpen: boolean;
}

/**
 * Lists the rooms with connected clients, as each process has reported them. Rooms of processes
 * that take no more players come last; otherwise the fullest comes first.
 * @param options.games the hosted games' names
 * @param options.game only this game; undefined for all
 * @returns undefined for a game that is not hosted
 */
export function allRooms(
  workers: readonly Pick<WorkerProcess, "report">[],
  { games, game }: { games: readonly string[]; game: string | undefined },
): Listing[] | undefined {
  if (game !== undefined && !games.includes(game)) return undefined;

  const namesGame = game === undefined && games.length > 1;
  const listed: Listed[] = [];
  for (const { report } of workers) {
    for (const [name, { list }] of Object.entries(report?.games ?? {})) {
      if (game !== undefined && name !== game) continue;
      for (const listing of list) {
        listed.push({
          isOpen: report?.reason === "",
          listing: { ...namesGame && { game: name }, ...listing },
        });
      }
    }
  }
  return listed.sort(inOrder).map(({ listing }) => listing);
}

function inOrder(a: Listed, b: Listed): number {
  if (a.isOpen !== b.isOpen) return a.isOpen ? -1 : 1;
  return b.listing.players - a.listing.players || (a.listing.code < b.listing.code ? -1 : 1);
}
