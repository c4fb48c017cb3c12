/** Finds parts of the shown screen that overlap, are cut off, or are too small for a finger. */
import type { Page } from "playwright-core";

/** CSS pixels: browsers round. */
const TOLERANCE = 1;
/** CSS pixels: a finger hits nothing smaller. */
const TARGET_MIN = 44;

/** An element of the page. All lengths are CSS pixels. */
interface Part {
  /** For messages. */
  readonly name: string;
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  /** Whether it fills a place of its own, which no other part may overlap. */
  readonly isSolid: boolean;
  /** Whether a finger must hit it. */
  readonly isTarget: boolean;
  /** By how much its content is wider and higher than itself. */
  readonly overflow: { readonly x: number; readonly y: number };
  /** Whether another part lies over a button's middle. */
  readonly isBehind: boolean;
  /** Indices of the parts that contain this one. */
  readonly containers: readonly number[];
}

interface Screen {
  readonly parts: readonly Part[];
  readonly width: number;
  readonly height: number;
  /** The HUD, in which nothing scrolls. */
  readonly isHud: boolean;
}

/** Runs in the page. */
function readScreen(): Screen {
  const dialog = document.querySelector("dialog[open]");
  const lobby = document.querySelector("#lobby:not([hidden])");
  const screen = dialog ?? lobby ?? document.querySelector("#hud")!;
  const solid =
    "h1, h2, p, button, input, legend, li, dialog span, #where span, #touch span, #result";
  const target = "button, label:has(input), input:not(label input), .press, #steer, #right-stick";
  const elements = [screen, ...screen.querySelectorAll(`.sheet, #scores, ${solid}, ${target}`)]
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    });
  const parts = elements.map((element): Part => {
    const box = element.getBoundingClientRect();
    const { textOverflow } = getComputedStyle(element);
    const place = element.id
      ? `#${element.id}`
      : `${element.tagName.toLowerCase()} in #${element.closest("[id]")!.id}`;
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);

    // Long names end in dots, and long input scrolls. Inline elements have no width, and zones
    // reach beyond theirs.
    const mayOverflow = textOverflow === "ellipsis" ||
      element.matches("input, .press, #steer, #right-stick") ||
      element.clientWidth === 0;
    return {
      name: `${place} (${element.textContent!.trim().slice(0, 20)})`,
      box: box.toJSON(),
      isSolid: element !== screen && element.matches(solid),
      isTarget: element.matches(target),
      overflow: {
        x: mayOverflow ? 0 : element.scrollWidth - element.clientWidth,
        y: element.matches("#scores, #result") ? element.scrollHeight - element.clientHeight : 0,
      },
      isBehind: element.matches("button") && hit !== element,
      containers: elements.flatMap((other, i) =>
        other !== element && other.contains(element) ? [i] : []
      ),
    };
  });
  return { parts, width: innerWidth, height: innerHeight, isHud: screen.id === "hud" };
}

/**
 * @param hasTouch whether fingers must be able to use the page
 * @returns one sentence for each fault
 */
export async function layoutFaultsOf(
  page: Page,
  { hasTouch }: { hasTouch: boolean },
): Promise<string[]> {
  const screen = await page.evaluate(readScreen);
  const faults = screen.parts.flatMap((part) => faultsOf(part, screen));
  if (hasTouch) faults.push(...screen.parts.flatMap(targetFaultsOf));
  return [...faults, ...overlapsOf(screen)];
}

function faultsOf(
  { name, box, overflow, isBehind }: Part,
  { width, height, isHud }: Screen,
): string[] {
  const faults: string[] = [];
  const isWithin = (from: number, to: number, size: number) =>
    from >= -TOLERANCE && to <= size + TOLERANCE;
  // Lobby and dialogs scroll upwards and downwards.
  if (!isWithin(box.left, box.right, width) || (isHud && !isWithin(box.top, box.bottom, height))) {
    faults.push(`${name} is outside of the window`);
  }
  if (overflow.x > TOLERANCE || overflow.y > TOLERANCE) faults.push(`${name} is cut off`);
  if (isHud && isBehind) faults.push(`${name} is behind another part`);
  return faults;
}

function targetFaultsOf({ name, isTarget, box }: Part): string[] {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  return isTarget && Math.min(width, height) < TARGET_MIN
    ? [`${name} has ${width} × ${height} pixels`]
    : [];
}

function overlapsOf({ parts }: Screen): string[] {
  const overlaps: string[] = [];
  parts.forEach((a, i) => {
    for (let j = i + 1; j < parts.length; j++) {
      const b = parts[j]!;
      if (!a.isSolid || !b.isSolid || b.containers.includes(i) || a.containers.includes(j)) {
        continue;
      }
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (width > TOLERANCE && height > TOLERANCE) overlaps.push(`${a.name} overlaps ${b.name}`);
    }
  });
  return overlaps;
}
