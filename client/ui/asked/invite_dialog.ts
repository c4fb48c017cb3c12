/**
 * The invitation: a QR code for a friend in the same room, the device's own way to share, and the
 * link as text. The page fetches this script when a player first invites somebody.
 */
import encodeQR from "qr";
import { make, setHidden, setText } from "../dom.ts";

/** White modules around the code, as readers need them. */
const BORDER = 4;
const NAMESPACE = "http://www.w3.org/2000/svg";

/** An invitation to a room. */
export interface Invitation {
  /** Four letters A–Z. */
  readonly room: string;
  /** The address that leads a friend into the room, with its key if it is a private one. */
  readonly link: string;
  /** Whether the link is in the clipboard already. */
  readonly isCopied: boolean;
}

export class InviteDialog {
  readonly #dialog = make("dialog", { id: "invitation" });
  readonly #title = make("h2", { id: "invitation-title" });
  readonly #code = make("div", { className: "qr" });
  readonly #link = make("p", { id: "invite-link" });
  readonly #status = make("p", { id: "invite-status", role: "status" });
  #shownLink = "";

  constructor() {
    const dialog = this.#dialog;
    dialog.setAttribute("aria-labelledby", "invitation-title");
    const button = (id: string, textContent: string, onClick: () => void) => {
      const made = make("button", { type: "button", id, className: "small", textContent });
      made.addEventListener("click", onClick);
      return made;
    };
    const share = button("share-link", "Share…", () => void this.#share());
    const copy = button("copy-link", "Copy the link", () => void this.#copy());
    const close = button("close-invitation", "Done", () => dialog.close());
    setHidden(share, navigator.share === undefined);

    dialog.append(
      this.#title,
      this.#code,
      this.#link,
      this.#status,
      make("p", { className: "buttons" }, share, copy, close),
    );
    document.body.append(dialog);
  }

  open({ room, link, isCopied }: Invitation): void {
    setText(this.#title, `Invite to room ${room}`);
    setText(this.#link, link);
    setText(this.#status, isCopied ? "The link is copied. A friend can also scan the code." : "");
    if (link !== this.#shownLink) {
      this.#shownLink = link;
      this.#code.replaceChildren(qrCode(link));
    }
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** Offers the link to the device's other programs. A player who changes their mind sees no error. */
  async #share(): Promise<void> {
    try {
      await navigator.share({ title: document.title, url: this.#shownLink });
    } catch (error) {
      if ((error as Error).name !== "AbortError") await this.#copy();
    }
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#shownLink);
      setText(this.#status, "The link is copied.");
    } catch {
      setText(this.#status, "This browser lets no page copy. Press the link to select it.");
    }
  }
}

/** Draws the code as one path, a square for each dark module. */
function qrCode(text: string): SVGElement {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
  const squares = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => isDark ? `M${x} ${y}h1v1h-1z` : [])
  );
  const svg = document.createElementNS(NAMESPACE, "svg");
  svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", "QR code of the invite link");
  svg.setAttribute("shape-rendering", "crispEdges");
  const path = document.createElementNS(NAMESPACE, "path");
  path.setAttribute("d", squares.join(""));
  svg.append(path);
  return svg;
}
