/** The buttons beside a running match, and the menu that Escape opens. */
import { findElement, setHidden, setText } from "../dom.ts";
import { pageHome } from "../home.ts";
import { formatPageUrl, type PageUrl } from "../page_url.ts";

const INVITE_TEXT = "Copy invite link";

export interface MatchMenuActions {
  /** Returns the address to give a friend. */
  readonly invitation: () => PageUrl;
  readonly openSettings: () => void;
  readonly leave: () => void;
  readonly mute: () => void;
  readonly saveLag: () => void;
}

export class MatchMenu {
  readonly #dialog: HTMLDialogElement;
  readonly #invite: HTMLButtonElement;
  readonly #link: HTMLElement;
  readonly #mute: HTMLButtonElement;
  readonly #actions: MatchMenuActions;

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, actions: MatchMenuActions) {
    this.#actions = actions;
    this.#dialog = findElement(root, "#menu");
    this.#invite = findElement(root, "#invite");
    this.#link = findElement(root, "#invite-link");
    this.#mute = findElement(root, "#mute");
    const listen = (id: string, act: (event: Event) => void) =>
      findElement(root, id).addEventListener("click", act);

    // A button gives up the focus, because otherwise Space would press it again instead of reaching
    // the game.
    listen("#open-menu", (event) => this.open(event));
    listen("#invite", () => {
      this.#invite.blur();
      void this.#copy();
    });

    listen("#resume", () => this.close());
    listen("#match-controls", () => {
      this.close();
      actions.openSettings();
    });

    listen("#mute", actions.mute);
    listen("#felt-lag", () => {
      this.close();
      actions.saveLag();
    });
    listen("#leave", actions.leave);
    listen("#full-screen", () => {
      this.close();
      void toggleFullScreen();
    });

    setHidden(findElement(root, "#full-screen"), !document.fullscreenEnabled);
  }

  /**
   * Opens the menu unless a dialog is open.
   * @param cause the key or click, which then does not do anything else
   */
  open(cause: Event): void {
    if (document.querySelector("dialog[open]") !== null) return;
    cause.preventDefault();

    // A dialog gives the focus back when it closes.
    (document.activeElement as HTMLElement | null)?.blur();
    setText(
      findElement(this.#dialog, "#full-screen"),
      document.fullscreenElement ? "Leave full screen" : "Full screen",
    );
    this.#dialog.showModal();
  }

  close(): void {
    this.#dialog.close();
  }

  /** Sets the label, which says what the button does next. */
  setMuted(muted: boolean): void {
    setText(this.#mute, muted ? "Unmute" : "Mute");
  }

  /** Restores the labels for another match. */
  reset(): void {
    setText(this.#invite, INVITE_TEXT);
    setText(this.#link, "");
  }

  async #copy(): Promise<void> {
    // To the game's own server: a portal's frame is no address that a friend can open.
    const { origin, path } = pageHome();
    const link = origin + formatPageUrl(this.#actions.invitation(), { pathname: path });
    try {
      await navigator.clipboard.writeText(link);
      setText(this.#invite, "Link copied");
    } catch {
      // Without TLS or permission there is no clipboard, so the player can select the link.
      setText(this.#link, link);
    }
  }
}

async function toggleFullScreen(): Promise<void> {
  try {
    if (document.fullscreenElement === null) await document.documentElement.requestFullscreen();
    else await document.exitFullscreen();
  } catch {
    // The browser refuses, for example in an embedded page, so the page stays as it is.
  }
}
