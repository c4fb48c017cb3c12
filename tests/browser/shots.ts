/** Screenshots of tests, for people; git ignores them. */
import type { Page } from "playwright-core";

const SHOTS = new URL("../shots/", import.meta.url);

export async function shoot(page: Page, name: string): Promise<void> {
  await Deno.mkdir(SHOTS, { recursive: true });
  await Deno.writeFile(new URL(name, SHOTS), new Uint8Array(await page.screenshot()));
}
