/**
 * What an element shows, set only where it differs: `show` may then be called for every picture without a new layout, and a
 * screen reader does not say the same words again.
 */

export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setHidden(element: HTMLElement, hidden: boolean): void {
  if (element.hidden !== hidden) element.hidden = hidden;
}
