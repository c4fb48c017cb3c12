import { type ClientLink, CUT } from "../../shared/netcode/link.ts";

/** A link that ends at once, because there is nowhere to open one to. */
export function endedLink(): ClientLink {
  return {
    ordered: true,
    bufferedBytes: 0,
    stage: "address",
    send() {},
    sendReliably() {},
    onMessage() {},
    // As with a socket, the handler is called after this returns.
    onClose: (handler) => queueMicrotask(() => handler(CUT, "")),
    close() {},
  };
}
