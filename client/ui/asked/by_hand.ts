/**
 * Rooms without a server: two people carry a text each way, by any messenger, and their pages
 * connect. The page fetches this script when a player asks for it.
 */
import { make, setHidden, setText } from "../dom.ts";

const INTRODUCTION =
  "Two texts, which you send each other by any messenger, connect your devices. Players in such a room can learn each other's network addresses.";

/** What the dialog asks the page for. Each throws an Error with a sentence for the player. */
export interface ByHandActions {
  /** Opens a room that this page hosts. */
  readonly host: () => void;
  /** @returns this page's text, for a page in a room */
  readonly introduce: () => Promise<string>;
  /** Joins the room. @param line the answer to that text */
  readonly takeAnswer: (line: string) => Promise<void>;
  /** Lets another page into this page's room. @param line its text @returns the answer for it */
  readonly letIn: (line: string) => Promise<string>;
  /** Called when the player closes the dialog before an answer has come. */
  readonly giveUp: () => void;
}

export class ByHandDialog {
  readonly #actions: ByHandActions;
  readonly #dialog = make("dialog", { id: "by-hand-dialog" });
  readonly #title = make("h2", { id: "by-hand-title" });
  readonly #content = make("div", {});
  readonly #status = make("p", { className: "status", role: "status" });
  /** Whether this page has sent a text, and waits for the answer. */
  #waits = false;

  constructor(actions: ByHandActions) {
    this.#actions = actions;
    const dialog = this.#dialog;
    dialog.setAttribute("aria-labelledby", "by-hand-title");
    dialog.append(
      this.#title,
      this.#content,
      this.#status,
      make("p", { className: "buttons" }, pressed("Close", () => dialog.close())),
    );
    dialog.addEventListener("close", () => {
      if (this.#waits) actions.giveUp();
      this.#waits = false;
    });
    document.body.append(dialog);
  }

  /** Asks whether to host a room or to join one. */
  choose(): void {
    this.#show(
      "Play without a server",
      make("p", { textContent: INTRODUCTION }),
      make(
        "p",
        { className: "buttons" },
        pressed("Host a room", () => {
          this.#dialog.close();
          this.#actions.host();
        }),
        pressed("Join a room", () => void this.#join()),
      ),
    );
  }

  /** Lets somebody into the room that this page is in. */
  letIn(): void {
    const theirs = textField("1. Paste their text", { isOwn: false });
    const answer = textField("2. Send them this answer", { isOwn: true });
    setHidden(answer.row, true);
    const give = pressed("Make the answer", () =>
      void this.#attempt(async () => {
        answer.field.value = await this.#actions.letIn(theirs.field.value);
        setHidden(answer.row, false);
        await this.#copy(answer.field, "The answer is copied. Send it back.");
      }));
    theirs.row.append(give);
    this.#show(
      "Let somebody in",
      make("p", {
        textContent: "They press “Without a server” in their lobby, and then “Join a room”.",
      }),
      theirs.row,
      answer.row,
    );
    theirs.field.focus();
  }

  async #join(): Promise<void> {
    const own = textField("1. Send this text to a player in the room", { isOwn: true });
    const answer = textField("2. Paste their answer", { isOwn: false });
    const connect = pressed("Connect", () =>
      void this.#attempt(async () => {
        await this.#actions.takeAnswer(answer.field.value);
        this.#waits = false;
        this.#dialog.close();
      }));
    answer.row.append(connect);
    this.#show("Join a room", own.row, answer.row);
    setText(this.#status, "This device looks for its addresses…");
    this.#waits = true;
    await this.#attempt(async () => {
      own.field.value = await this.#actions.introduce();
      await this.#copy(own.field, "The text is copied.");
    });
  }

  #show(title: string, ...content: HTMLElement[]): void {
    setText(this.#title, title);
    setText(this.#status, "");
    this.#content.replaceChildren(...content);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      setText(this.#status, error instanceof Error ? error.message : String(error));
    }
  }

  /** Copies a text at once, because it is of no other use. */
  async #copy(field: HTMLTextAreaElement, success: string): Promise<void> {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      setText(this.#status, success);
    } catch {
      setText(this.#status, "This browser lets no page copy. The text is selected.");
    }
  }
}

function pressed(textContent: string, onClick: () => void): HTMLButtonElement {
  const button = make("button", { type: "button", className: "small", textContent });
  button.addEventListener("click", onClick);
  return button;
}

/** @param options.isOwn whether the page writes the text, and the player only copies it */
function textField(
  label: string,
  { isOwn }: { readonly isOwn: boolean },
): { readonly row: HTMLElement; readonly field: HTMLTextAreaElement } {
  const field = make("textarea", { rows: 3, readOnly: isOwn, spellcheck: false });
  return { field, row: make("div", { className: "text" }, make("label", {}, label, field)) };
}
