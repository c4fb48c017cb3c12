/**
 * What an operator's hook decides: who may come in, under which name, in which role and on which
 * seat. The module named by `--authorise FILE` exports it as `authorise` (docs/authorise.md):
 *
 *     import type { Authorise } from "…/server/tickets/authorise.ts";
 *     export const authorise: Authorise = ({ credentials }) => …
 */
import type { Role } from "../match/clients/peer.ts";

/** A client's request, and its credentials. All texts are the client's own, and may be anything. */
export interface AuthoriseRequest {
  /** The game's id, such as "dragons-10". */
  readonly game: string;
  /** Four letters A to Z. */
  readonly room: string;
  /** Empty for a player who gave none; at most 96 characters. */
  readonly name: string;
  readonly role: "player" | "watcher";
  /** The text that the client sent along, such as an ID token; empty if there was none. */
  readonly credentials: string;
  /** The IP address, as reported by a trusted proxy or else the connection's own. */
  readonly address: string;
  /** The two request headers that identify the sender; empty if they are missing. */
  readonly headers: { readonly authorization: string; readonly cookie: string };
  /** Aborted when the decision has taken too long. */
  readonly signal: AbortSignal;
}

/** Lets the client come in. */
export interface Grant {
  /**
   * The player's name, which is also their identity: a seat's token works only under the same name.
   * At most 24 characters are shown. If the name is taken in the match, it gets a number.
   */
  readonly name: string;
  /** A player may also watch. An operator only watches, but in any room. */
  readonly role: Role;
  /** The only seat that the player may get, 0 to 15; without it, any free seat. */
  readonly seat?: number | undefined;
}

/** Keeps the client out. The page shows the text, at most 120 characters of it. */
export interface Denial {
  readonly refusal: string;
}

export type Authorise = (request: AuthoriseRequest) => Promise<Grant | Denial> | Grant | Denial;
