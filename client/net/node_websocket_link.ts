/**
 * The bots' WebSocket. Deno's own leaves Nagle's algorithm on: what is sent while something before it is unconfirmed waits for the
 * other end's delayed confirmation, up to 40 ms, so one command in ten came that much later than the line had it. Browsers' do not.
 */
// @ts-types="@types/ws"
import { WebSocket as NodeSocket } from "ws";
import type { Link } from "../../shared/netcode/link.ts";
import { webSocketLinkOf } from "./websocket_link.ts";

/** Opens a link whose messages leave at once. It always ends with `onClose`, also when it never opens (code 1006). @param url ws:// or wss:// */
export function openNodeWebSocketLink(url: string): Link {
  // It speaks a browser's language, as far as a link uses it.
  return webSocketLinkOf(new NodeSocket(url, { perMessageDeflate: false }) as unknown as WebSocket);
}
