/** A link that reports its messages to an observer and otherwise behaves like the inner link. */
import type { ClientLink } from "../../shared/netcode/link.ts";

export interface LinkObserver {
  /**
   * Called before a message is sent, but for pings by a path that is not in use; it is valid during
   * the call only.
   */
  onSent?(message: Uint8Array): void;
  /** Called when a message has arrived, before the link's handler. */
  onReceived?(message: Uint8Array): void;
  /** Called after the link's handler has taken a message. */
  onHandled?(): void;
}

export function tapLink(link: ClientLink, observer: LinkObserver): ClientLink {
  return {
    path: link.path,
    get ordered() {
      return link.ordered;
    },
    send(message) {
      observer.onSent?.(message);
      link.send(message);
    },
    sendReliably(message) {
      observer.onSent?.(message);
      link.sendReliably(message);
    },
    onMessage: (handler) =>
      link.onMessage((message, reliably) => {
        observer.onReceived?.(message);
        handler(message, reliably);
        observer.onHandled?.();
      }),
    onClose: (handler) => link.onClose(handler),
    close: (code, reason) => link.close(code, reason),
    get bufferedBytes() {
      return link.bufferedBytes;
    },
    get stage() {
      return link.stage;
    },
  };
}
