/** The buttons beside a running match, and the menu that Escape opens. */
import { findElement, setHidden, setText } from "../dom.ts";
import { pageHome } from "../home.ts";
import type { Invitation } from "../asked/invite_dialog.ts";
import type { Entry } from "../lobby.ts";
import { formatPageUrl, type PageUrl } from "../page_url.ts";

const INVITE_TEXT = "Invite";
/** How long the invitation stands beside a match before it goes into the menu, ms. */
const INVITE_MS = 60_000;

export interface MatchMenuActions {
  /** Returns the address to give a friend. */
  readonly invitation: () => PageUrl & Pick<Entry, "isByHand">;
  /** Shows the invitation with its QR code. */
  readonly showInvitation: (invitation: Invitation) => void;
  /** Shows how people lead others into a room without a server. */
  readonly letIn: () => void;
  readonly openSettings: () => void;
  readonly explain: () => void;
  readonly leave: () => void;
  readonly mute: () => void;
  readonly saveLag: () => void;
  /** Saves the match as a file; undefined while this page does not host it. */
  readonly saveMatch: () => (() => void) | undefined;
  /** Called when the menu has opened or closed, which changes `MatchMenu.pace`. */
  readonly opensOrCloses: () => void;
}

export class MatchMenu {
  readonly #dialog: HTMLDialogElement;
  readonly #invite: HTMLButtonElement;
  readonly #openMenu: HTMLButtonElement;
  readonly #controls: HTMLButtonElement;
  readonly #mute: HTMLButtonElement;
  readonly #actions: MatchMenuActions;
  readonly #paceRow: HTMLElement;
  readonly #pace: HTMLSelectElement;
  /** When the match began to show, ms; undefined before its first frame. */
  #sinceMs: number | undefined;

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, actions: MatchMenuActions) {
    this.#actions = actions;
    this.#dialog = findElement(root, "#menu");
    this.#invite = findElement(root, "#invite");
    this.#openMenu = findElement(root, "#open-menu");
    this.#controls = findElement(root, "#match-controls");
    this.#mute = findElement(root, "#mute");
    this.#paceRow = findElement(root, "#pace-row");
    this.#pace = findElement(root, "#pace");
    const listen = (id: string, act: (event: Event) => void) =>
      findElement(root, id).addEventListener("click", act);

    // A button gives up the focus, because otherwise Space would press it again instead of reaching
    // the game.
    listen("#open-menu", (event) => this.open(event));
    listen("#invite", () => {
      this.#invite.blur();
      if (this.#dialog.open) this.close();
      void this.#invitePlayer();
    });

    this.#dialog.addEventListener("close", () => actions.opensOrCloses());
    listen("#resume", () => this.close());
    listen("#match-controls", () => {
      this.close();
      actions.openSettings();
    });

    listen("#match-how", () => {
      this.close();
      actions.explain();
    });

    listen("#mute", actions.mute);
    listen("#felt-lag", () => {
      this.close();
      actions.saveLag();
    });
    listen("#save-match", () => {
      this.close();
      actions.saveMatch()?.();
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
    const isHere = this.#actions.saveMatch() !== undefined;
    setHidden(findElement(this.#dialog, "#save-match"), !isHere);
    this.#dialog.showModal();
    this.#actions.opensOrCloses();
  }

  /** Call it with each frame of a match. @param nowMs the match's time, ms */
  advance(nowMs: number): void {
    this.#sinceMs ??= nowMs;
    const isInMenu = this.#invite.parentElement === this.#dialog;
    if (isInMenu || nowMs - this.#sinceMs < INVITE_MS) return;
    // A button that has the focus would lose it.
    if (document.activeElement !== this.#invite) this.#controls.before(this.#invite);
  }

  /** How fast a practice match goes on: 0 while the menu is open. */
  get pace(): number {
    return this.#dialog.open ? 0 : Number(this.#pace.value);
  }

  close(): void {
    this.#dialog.close();
  }

  /** Sets the label, which says what the button does next. */
  setMuted(muted: boolean): void {
    setText(this.#mute, muted ? "Unmute" : "Mute");
  }

  /** Restores the labels for another match. @param isSolo whether it is a practice match */
  reset({ isSolo }: { readonly isSolo: boolean }): void {
    this.#sinceMs = undefined;
    this.#openMenu.after(this.#invite);
    setText(this.#invite, INVITE_TEXT);
    setHidden(this.#invite, isSolo);
    setHidden(this.#paceRow, !isSolo);
    this.#pace.value = "1";
  }

  /**
   * Copies the link at once, because most players want nothing else, and shows the rest. No link
   * leads into a room without a server.
   */
  async #invitePlayer(): Promise<void> {
    // To the game's own server: a portal's frame is no address that a friend can open.
    const { origin, path } = pageHome();
    const invitation = this.#actions.invitation();
    if (invitation.isByHand) return this.#actions.letIn();
    const link = origin + formatPageUrl(invitation, { pathname: path });
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(link);
      setText(this.#invite, "Link copied");
    } catch {
      // Without TLS or permission there is no clipboard, so the player can select the link.
      isCopied = false;
    }
    this.#actions.showInvitation({ room: invitation.room, link, isCopied });
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
