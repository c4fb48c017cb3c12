/** A gamepad at the browser's usual place, which a test presses. */
import type { Page } from "playwright-core";
import "../pages/page_globals.ts";

/** The buttons of the standard mapping by what they are for in menus. */
export const PAD = {
  a: 0,
  b: 1,
  view: 8,
  start: 9,
  up: 12,
  down: 13,
  left: 14,
  right: 15,
} as const;

/** Plugs it in, before the page loads. */
export async function plugIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const buttons = Array.from({ length: 17 }, () => ({ pressed: false }));
    const pad = { mapping: "standard", connected: true, axes: [0, 0, 0, 0], buttons };
    Object.assign(globalThis, { pad });
    navigator.getGamepads = () => [pad as unknown as Gamepad];
  });
}

/** Presses and releases a button, each for as long as the page takes to see it. */
export async function press(page: Page, button: keyof typeof PAD): Promise<void> {
  await page.evaluate(async (index) => {
    const frames = async () => {
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
    };
    pad.buttons[index]!.pressed = true;
    await frames();
    pad.buttons[index]!.pressed = false;
    await frames();
  }, PAD[button]);
}

/** The focused control: its id, or else its label or its words. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    if (element === document.body) return "";
    return element.id || element.getAttribute("aria-label") ||
      (element as HTMLInputElement).value || element.textContent!.trim();
  });
}
