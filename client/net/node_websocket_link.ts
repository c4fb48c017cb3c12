/**
 * The bots' WebSocket link, by the package `ws`.
 *
 * Deno's own WebSocket leaves Nagle's algorithm on, which browsers turn off. With it, a message
 * waits while an earlier one is unacknowledged, until the other end's delayed acknowledgement comes
 * after up to 40 ms. One command in ten then arrived that much later than the network explained.
 */
// @ts-types="@types/ws"
import { WebSocket as NodeSocket } from "ws";
import type { Link } from "../../shared/netcode/link.ts";
import { openWebSocketLink } from "./websocket_link.ts";

/**
 * Opens a link that sends messages at once. It ends as a link from `openWebSocketLink` does.
 * @param url ws:// or wss://, or a promise of it
 * @param request as for `openWebSocketLink`
 */
export function openNodeWebSocketLink(
  url: string | Promise<string>,
  request?: AbortController,
): Link {
  return openWebSocketLink(url, { newSocket: newNodeSocket, request });
}

/** Opens a socket of the package, which offers a browser's interface as far as a link uses it. */
export function newNodeSocket(url: string): WebSocket {
  return new NodeSocket(url, { perMessageDeflate: false }) as unknown as WebSocket;
}
