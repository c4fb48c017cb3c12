/**
 * The WebSocket link of the bots, by the package `ws`.
 *
 * Deno's own WebSocket leaves Nagle's algorithm on, and browsers turn it off. With Nagle's
 * algorithm a message waits while an earlier one is unacknowledged, until the other end's delayed
 * acknowledgement: up to 40 ms. One command in ten then arrived that much later than the network
 * explained.
 */
// @ts-types="@types/ws"
import { WebSocket as NodeSocket } from "ws";
import type { Link } from "../../shared/netcode/link.ts";
import { openWebSocketLink } from "./websocket_link.ts";

/**
 * Opens a link whose messages leave at once. It ends as that of `openWebSocketLink` does.
 * @param url ws:// or wss://, or a promise of it
 * @param request as for `openWebSocketLink`
 */
export function openNodeWebSocketLink(
  url: string | Promise<string>,
  request?: AbortController,
): Link {
  // The package's socket has a browser's interface, as far as a link uses it.
  const newSocket = (url: string) =>
    new NodeSocket(url, { perMessageDeflate: false }) as unknown as WebSocket;
  return openWebSocketLink(url, { newSocket, request });
}
