/** Finds, makes and updates elements for the page's parts. */

/**
 * Finds the first element that matches.
 * @throws Error if none does, because index.html then lacks a part
 */
export function findElement<Kind extends HTMLElement>(root: ParentNode, selector: string): Kind {
  const element = root.querySelector<Kind>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}

/** Makes an element with these properties and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (HTMLElement | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

// The setters write only a value that differs. Pages call them with every frame, and writing an
// equal value would cost a layout and make a screen reader repeat itself.

export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setHidden(element: HTMLElement, hidden: boolean): void {
  if (element.hidden !== hidden) element.hidden = hidden;
}

/**
 * Offers a file to the player, which the browser puts into the downloads folder.
 * @param content bytes or text
 * @param name the file name that the browser suggests
 */
export function offerFile(content: Uint8Array<ArrayBuffer> | string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  make("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
