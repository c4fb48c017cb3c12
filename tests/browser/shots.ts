/** Pictures of what a test saw, for people; git does not see them. */
import type { Page } from "playwright-core";

const SHOTS = new URL("../shots/", import.meta.url);

export async function shoot(page: Page, name: string): Promise<void> {
  await Deno.mkdir(SHOTS, { recursive: true });
  await Deno.writeFile(new URL(name, SHOTS), new Uint8Array(await page.screenshot()));
}
