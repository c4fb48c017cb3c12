/**
 * Letters on the screen for who has a gamepad alone: a name and a room's code are typed with them.
 * They come with the rest of what gamepads need (`pad_focus.ts`).
 */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** What names have besides, and codes of rooms have not. */
const OTHERS = "0123456789-'";
const COLUMNS = 9;

/** Whether a control takes letters. */
export function takesLetters(control: HTMLElement): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.type === "text";
}

/** Opens the letters for a field. Done and B close them, and the field has the focus again. */
export function openLetters(field: HTMLInputElement): void {
  const isCode = field.autocapitalize === "characters";
  const dialog = document.createElement("dialog");
  dialog.id = "letters";
  const label = document.createElement("p");
  const typed = document.createElement("output");
  const keys = document.createElement("div");
  label.textContent = field.labels?.[0]?.textContent ?? "";
  dialog.setAttribute("aria-label", `Letters: ${label.textContent}`);
  Object.assign(typed.style, { display: "block", minHeight: "1.5em", fontSize: "1.4em" });
  Object.assign(keys.style, {
    display: "grid",
    gridTemplateColumns: `repeat(${COLUMNS}, minmax(0, 1fr))`,
    gap: "0.3rem",
    margin: "0.5rem 0",
  });

  const show = () => typed.textContent = field.value || "–";
  const write = (text: string) => {
    field.value = text;
    // The field's own listeners take away what it does not allow.
    field.dispatchEvent(new Event("input", { bubbles: true }));
    show();
  };
  const add = (letter: string) => {
    if (field.maxLength >= 0 && field.value.length >= field.maxLength) return;
    const isFirst = /(^|[ -])$/.test(field.value);
    write(field.value + (isCode || isFirst ? letter : letter.toLowerCase()));
  };
  const key = (words: string, press: () => void) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.textContent = words;
    button.style.padding = "0.3rem 0";
    button.addEventListener("click", press);
    return button;
  };

  const wide = (columns: number, button: HTMLButtonElement) => {
    button.style.gridColumn = `span ${columns}`;
    return button;
  };
  keys.append(
    ...[...LETTERS, ...isCode ? "" : OTHERS].map((letter) => key(letter, () => add(letter))),
    ...isCode ? [] : [wide(2, key("Space", () => add(" ")))],
    wide(2, key("Delete", () => write(field.value.slice(0, -1)))),
    wide(3, key("Done", () => dialog.close())),
  );
  dialog.append(label, typed, keys);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  show();
  dialog.showModal();
}
