/** A link that lets somebody look on at what passes, without touching it. */
import type { Link } from "../../shared/netcode/link.ts";

export interface LinkObserver {
  /** A message that goes up; valid during the call only. */
  onSent(message: Uint8Array): void;
  /** A message that has come down. */
  onReceived(message: Uint8Array): void;
}

export function tapLink(link: Link, observer: LinkObserver): Link {
  return {
    ordered: link.ordered,
    send(message) {
      observer.onSent(message);
      link.send(message);
    },
    sendReliably(message) {
      observer.onSent(message);
      link.sendReliably(message);
    },
    onMessage: (handler) =>
      link.onMessage((message, reliably) => {
        observer.onReceived(message);
        handler(message, reliably);
      }),
    onClose: (handler) => link.onClose(handler),
    close: (code, reason) => link.close(code, reason),
    get bufferedBytes() {
      return link.bufferedBytes;
    },
  };
}
