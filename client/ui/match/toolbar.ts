/** The buttons beside a running match: invite, help, mute and leave. */
import { formatPageUrl } from "../page_url.ts";
import { findElement, setText } from "../dom.ts";

const INVITE_TEXT = "Copy invite link";

export interface ToolbarActions {
  /** The room to invite to. */
  readonly room: () => string;
  readonly openSettings: () => void;
  readonly leave: () => void;
  readonly mute: () => void;
}

export class Toolbar {
  readonly #invite: HTMLButtonElement;
  readonly #link: HTMLElement;
  readonly #mute: HTMLButtonElement;
  readonly #actions: ToolbarActions;

  /** @param root holds the markup of index.html. @throws Error if a part is missing */
  constructor(root: ParentNode, actions: ToolbarActions) {
    this.#actions = actions;
    this.#invite = findElement(root, "#invite");
    this.#link = findElement(root, "#invite-link");
    this.#listen(this.#invite, () => void this.#copy());
    this.#listen(findElement(root, "#match-controls"), actions.openSettings);
    this.#listen(findElement(root, "#leave"), actions.leave);
    this.#mute = findElement(root, "#mute");
    this.#listen(this.#mute, actions.mute);
  }

  /** Sets the label: it says what the button does next. */
  setMuted(muted: boolean): void {
    setText(this.#mute, muted ? "Unmute" : "Mute");
  }

  /** Restores the labels for another match. */
  reset(): void {
    setText(this.#invite, INVITE_TEXT);
    setText(this.#link, "");
  }

  /** The button gives up the focus after a press, or Space would press it again instead of reaching the game. */
  #listen(button: HTMLElement, act: () => void): void {
    button.addEventListener("click", () => {
      button.blur();
      act();
    });
  }

  async #copy(): Promise<void> {
    const link = location.origin + formatPageUrl({ room: this.#actions.room(), spectate: false });
    try {
      await navigator.clipboard.writeText(link);
      setText(this.#invite, "Link copied");
    } catch {
      // Without TLS or permission there is no clipboard: the player can select the link.
      setText(this.#link, link);
    }
  }
}
