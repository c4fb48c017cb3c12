/**
 * One question in a dialog, such as "Leave the match?". A newer question takes the place of the one
 * that is shown.
 */
import { findElement, make, setText } from "./dom.ts";

/** What each answer does, by its label, in order. The first one is also that of Escape. */
export type Answers = Readonly<Record<string, () => void>>;

/** Asks, above everything else on the page. */
export function ask(text: string, answers: Answers): void {
  const dialog = withdrawQuestion();
  setText(findElement(dialog, "#question-text"), text);
  const buttons = Object.entries(answers).map(([textContent, act]) => {
    const button = make("button", { type: "button", className: "small", textContent });
    button.onclick = () => {
      withdrawQuestion();
      act();
    };
    return button;
  });
  findElement(dialog, "#answers").replaceChildren(...buttons);
  dialog.oncancel = (event) => {
    event.preventDefault();
    buttons[0]!.click();
  };
  dialog.showModal();
}

/** Closes the question without an answer, because what it was about is over. */
export function withdrawQuestion(): HTMLDialogElement {
  const dialog = findElement<HTMLDialogElement>(document, "#question");
  dialog.close();
  return dialog;
}
