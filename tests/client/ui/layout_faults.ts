/** Finds parts of the shown screen that overlap, are cut off, or are too small for a finger. */

/**
 * Runs in the page.
 * @param hasTouch whether the page must be usable with fingers
 * @returns one sentence for each fault
 */
export function layoutFaults(hasTouch: boolean): string[] {
  /** CSS pixels: browsers round. */
  const TOLERANCE = 1;
  const TARGET_MIN = 44;
  const faults: string[] = [];
  const describe = (element: Element) =>
    `${element.id ? `#${element.id}` : `${element.tagName.toLowerCase()} in #${element.closest("[id]")!.id}`} ` +
    `(${element.textContent!.trim().slice(0, 20)})`;
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const find = (selector: string, root: ParentNode = document) => [...root.querySelectorAll(selector)].filter(isShown);

  const dialog = document.querySelector("dialog[open]");
  const screen = dialog ?? document.querySelector("#lobby:not([hidden])") ?? document.querySelector("#hud")!;
  const isHud = screen.id === "hud";

  // A sheet that scrolls does so upwards and downwards only.
  for (const element of find(".sheet, dialog, #lobby")) {
    if (element.scrollWidth > element.clientWidth + TOLERANCE) faults.push(`${describe(element)} is too wide`);
  }
  for (const element of find("#result, #scores")) {
    if (element.scrollHeight > element.clientHeight + TOLERANCE) {
      faults.push(`${describe(element)} is ${element.scrollHeight - element.clientHeight} pixels too high`);
    }
  }
  const parts = find(
    "h1, h2, h3, p, button, input, legend, li, dialog span, #where span, #touch span, #result, #clock, #round",
    screen,
  );
  for (const part of parts) {
    const box = part.getBoundingClientRect();
    const isOutside = box.left < -TOLERANCE || box.right > innerWidth + TOLERANCE ||
      (isHud && (box.top < -TOLERANCE || box.bottom > innerHeight + TOLERANCE));
    if (isOutside) faults.push(`${describe(part)} is outside of the window`);
    // Long names end in dots, which is no fault.
    const mayBeCut = getComputedStyle(part).textOverflow === "ellipsis" || part.tagName === "INPUT";
    if (!mayBeCut && part.scrollWidth > part.clientWidth + TOLERANCE && part.clientWidth > 0) {
      faults.push(`${describe(part)} is cut off`);
    }
  }
  for (let i = 0; i < parts.length; i++) {
    for (let j = i + 1; j < parts.length; j++) {
      const a = parts[i]!, b = parts[j]!;
      if (a.contains(b) || b.contains(a)) continue;
      const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (width > TOLERANCE && height > TOLERANCE) faults.push(`${describe(a)} overlaps ${describe(b)}`);
    }
  }
  for (const button of find("button", screen)) {
    const { left, top, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    // A button that is scrolled out of its sheet is hit by nothing, or by something around the sheet.
    if (isHud && hit !== button) faults.push(`${describe(button)} is behind another part`);
  }
  if (!hasTouch) return faults;
  for (const target of find("button, label:has(input), input:not(label input), [data-zone]", screen)) {
    const { width, height } = target.getBoundingClientRect();
    if (Math.min(width, height) < TARGET_MIN) faults.push(`${describe(target)} has ${width} × ${height} pixels`);
  }
  return faults;
}
