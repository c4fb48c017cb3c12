/**
 * Says that a lag report is saved, and offers to open it: in a new tab, because the match goes on in
 * this one. The replay page there asks this page for the bytes, so nothing leaves the machine.
 *
 *     replay page → LAG_REQUEST      this page → { lag: bytes }
 */
import { make } from "../../ui/dom.ts";
import { pageHome } from "../../ui/home.ts";
import { basePathOf } from "../../ui/page_url.ts";
import { type HandedLag, LAG_QUERY, LAG_REQUEST } from "./lag_report.ts";

const ID = "lag-saved";

/** Ends the wait of an earlier report's tab, because only the newest report is kept. */
let handing = new AbortController();

/** Says that there is nothing to save yet. */
export function showNothingSaved(): void {
  show("There is nothing to save yet: the report is of a match.");
}

/** @param bytes the saved file */
export function showSaved(bytes: Uint8Array<ArrayBuffer>): void {
  handing.abort();
  handing = new AbortController();

  // A tab of another site gets no message from this page.
  const { isElsewhere, origin, path } = pageHome();
  if (isElsewhere) {
    const href = `${origin}${path}replay`;
    const link = make("a", { href, target: "_blank", rel: "noopener", textContent: "replays" });
    return show("Saved to your downloads. Drop it on the page of ", link);
  }

  const open = make("button", { type: "button", className: "small", textContent: "Open it" });
  open.addEventListener("click", () => {
    open.blur();
    const opened = globalThis.open(`${basePathOf(location)}replay?${LAG_QUERY}`);
    if (opened !== null) handOver(opened, bytes, handing.signal);
  });
  show("Saved. ", open);
}

/** Answers the opened page, as often as it asks: it may be loaded again. */
function handOver(opened: Window, lag: Uint8Array<ArrayBuffer>, signal: AbortSignal): void {
  const onMessage = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== opened || origin !== location.origin || data !== LAG_REQUEST) return;
    const handed: HandedLag = { lag };
    opened.postMessage(handed, origin);
  };
  addEventListener("message", onMessage, { signal });
}

function show(...parts: (HTMLElement | string)[]): void {
  document.querySelector(`#${ID}`)?.remove();
  const notice = make("p", { id: ID, role: "status" }, ...parts);
  // The style sheet lets it fade, late enough to reach it after a fight.
  notice.addEventListener("animationend", () => notice.remove());
  document.body.append(notice);
}
