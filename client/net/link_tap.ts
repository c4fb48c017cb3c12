/** A link that lets somebody look on at what passes, without touching it. */
import type { Link } from "../../shared/netcode/link.ts";

export interface LinkObserver {
  /** A message that goes up; valid during the call only. */
  said(message: Uint8Array): void;
  /** A message that has come down. */
  heard(message: Uint8Array): void;
}

export function tapped(link: Link, observer: LinkObserver): Link {
  return {
    ordered: link.ordered,
    send(message) {
      observer.said(message);
      link.send(message);
    },
    sendReliably(message) {
      observer.said(message);
      link.sendReliably(message);
    },
    onMessage: (handler) =>
      link.onMessage((message, reliably) => {
        observer.heard(message);
        handler(message, reliably);
      }),
    onClose: (handler) => link.onClose(handler),
    close: (code, reason) => link.close(code, reason),
    get bufferedBytes() {
      return link.bufferedBytes;
    },
  };
}
