/**
 * Gives a part of ours a place in another author's page. A shadow root keeps styles apart in both
 * directions, and ids, so that a page can show a part twice.
 */

/** A part's place in a page. */
export interface Shadow {
  /** The element that was added to the page. Removing it leaves nothing behind. */
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
}

/**
 * Adds a place for a part.
 * @param style the part's whole style sheet. It is no `style` element, because the content policy of
 *   many a page forbids those.
 * @throws TypeError if `element` is no element
 */
export function addShadow(element: Element, style: string): Shadow {
  if (!(element instanceof Element)) {
    throw new TypeError("an element of the page is needed, to mount the part in");
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheet];
  element.append(host);
  return { host, root };
}
