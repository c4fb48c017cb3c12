/**
 * A client's socket with a datagram path beside it, which comes and goes while the socket stays:
 *
 *     sendReliably   always by the socket
 *     send           by the path while that is in use, otherwise by the socket
 *
 * The socket is the link. If only the session ends, datagrams get lost until `end` is called, and
 * nothing else changes.
 */
import {
  type ClientLink,
  type ClientPath,
  CUT,
  type Link,
  type MessageHandler,
  type PathOffer,
} from "../../shared/netcode/link.ts";

/** Opens the session for a path. */
export type OpenSession = (offer: PathOffer) => Link;

/**
 * Opens the link. Its state is in closures, because pages load it before their first frame and this
 * way it is shorter.
 */
export function openPathLink(socket: Link, openSession: OpenSession): ClientLink {
  let session: Link | undefined;
  let isInUse = false;
  let ended: ReturnType<ClientPath["ended"]>;
  let onMessage: MessageHandler = () => {};

  // A session ends, and the next one opens
  const end: ClientPath["end"] = (code, reason) => {
    const last = session;
    isInUse = false;
    session = undefined;
    ended = { code, reason };
    last?.close(code, reason);
  };

  const open: ClientPath["open"] = (offer) => {
    end(CUT, "");
    ended = undefined;
    const opened = session = openSession(offer);
    opened.onMessage((message, reliably) => {
      if (!reliably && session === opened) onMessage(message, false);
    });
    opened.onClose((code, reason) => {
      if (session !== opened) return;
      session = undefined;
      ended = { code, reason };
    });
    // The server sees a session's stream only with the first message, and the path itself would
    // never send one.
    opened.sendReliably(new Uint8Array(0));
  };

  // Socket and session as one link: while the session is in use, unordered messages go by it.
  return {
    path: {
      open,
      // The first message waits until the session is open.
      isOpen: () => session?.bufferedBytes === 0,
      ended: () => ended,
      doubt: () => session?.doubt ?? "",
      send: (message) => session?.send(message),
      use: () => void (isInUse = true),
      end,
    },
    get ordered() {
      return !isInUse;
    },
    get bufferedBytes() {
      return socket.bufferedBytes;
    },
    get stage() {
      return socket.stage;
    },
    send: (message) => isInUse ? session?.send(message) : socket.send(message),
    sendReliably: (message) => socket.sendReliably(message),
    onMessage: (handler) => socket.onMessage(onMessage = handler),
    onClose: (handler) =>
      socket.onClose((code, reason) => {
        end(code, reason);
        handler(code, reason);
      }),
    close: (code, reason) => socket.close(code, reason),
  };
}
