/** The one way in which the page's parts find their elements: a missing one is a mistake in index.html, told at once. */

/** The first element that matches. @throws Error where none does */
export function findElement<Kind extends HTMLElement>(root: ParentNode, selector: string): Kind {
  const element = root.querySelector<Kind>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}
