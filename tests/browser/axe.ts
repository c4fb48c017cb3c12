/** axe-core on a page as it is now. */
import { assertGreater } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = fileURLToPath(import.meta.resolve("axe-core"));

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly any: readonly { readonly message: string }[] }[];
}

/**
 * What axe-core holds against the page as it is now, of what is serious or worse, contrast among it.
 * @param isMeasurable not over the moving picture, where words have a dark halo, nor in front of a dialog's backdrop, where colours
 * are the lobby's
 */
export async function seriousFindings(page: Page, { isMeasurable = true } = {}): Promise<string[]> {
  await page.evaluate(await Deno.readTextFile(AXE)); // not a script tag: the page's own policy forbids others'
  const { violations, passes } = await page.evaluate("axe.run()") as { violations: Finding[]; passes: Finding[] };
  const measured = passes.find(({ id }) => id === "color-contrast")?.nodes
    .filter(({ any }) => any.some(({ message }) => message.includes("sufficient color contrast of")));
  if (isMeasurable) assertGreater(measured?.length ?? 0, 10, "contrast was measured");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
