/**
 * What a page room needs from the network: messages between pages, and links for the match. The
 * browser's WebRTC implements it, and the lab's simulated networks.
 */
import type { ClientLink, HostLink } from "../../shared/netcode/link.ts";
import type { PageId, PageMessage } from "./page_message.ts";

/** What happens on the connections of one page. */
export interface MeshEvents {
  onConnected(page: PageId): void;
  /** The connection has ended, or a long silence has. */
  onLost(page: PageId): void;
  onMessage(from: PageId, message: PageMessage): void;
  /** Something has come, by whatever channel: the page is there. */
  onHeard(page: PageId): void;
  /** Another page opens a link to the match that this page hosts. */
  onLink(from: PageId, link: HostLink): void;
}

/** The connections of one page to the others of its room. */
export interface Mesh {
  /** This page. */
  readonly self: PageId;
  /** The pages to which there is a connection. */
  readonly pages: ReadonlySet<PageId>;
  /** Sends a message in order. Without a connection it does nothing. */
  send(to: PageId, message: PageMessage): void;
  /** Opens a link to the match that another page hosts; one that ends at once without a connection. */
  openLink(to: PageId): ClientLink;
  /** Connects to another page, with the help of one that is connected to both. */
  connect(to: PageId, via: PageId): void;
  /** Ends a connection. */
  drop(page: PageId): void;
}
