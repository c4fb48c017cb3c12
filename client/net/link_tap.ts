/** A link that reports its messages to an observer and otherwise behaves like the inner link. */
import type { ClientLink } from "../../shared/netcode/link.ts";

export interface LinkObserver {
  /**
   * Called before a message is sent, except pings on a path that is not in use. The message is
   * valid only during the call.
   */
  onSent?(message: Uint8Array): void;
  /** Called when a message arrives, before the link's handler. */
  onReceived?(message: Uint8Array): void;
  /** Called after the link's handler took a message. */
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
