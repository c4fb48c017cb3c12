/** Runs axe-core on a page in its present state. */
import { assertGreater } from "@std/assert";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const AXE = fileURLToPath(import.meta.resolve("axe-core"));

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly {
    readonly html: string;
    readonly any: readonly { readonly message: string }[];
  }[];
}

/**
 * Runs axe-core on the page. @returns its serious and critical findings, contrast included
 * @param options.isMeasurable whether contrast can be measured. It cannot on the moving canvas,
 * where words have a dark halo, nor in front of a dialog's backdrop, where the colours are the
 * lobby's.
 */
export async function seriousFindings(page: Page, { isMeasurable = true } = {}): Promise<string[]> {
  await page.evaluate(await Deno.readTextFile(AXE)); // no script tag: the page's policy forbids foreign ones
  const { violations, passes } = await page.evaluate("axe.run()") as {
    violations: Finding[];
    passes: Finding[];
  };
  const measured = passes.find(({ id }) => id === "color-contrast")?.nodes
    .filter(({ any }) =>
      any.some(({ message }) => message.includes("sufficient color contrast of"))
    );
  if (isMeasurable) assertGreater(measured?.length ?? 0, 10, "contrast was measured");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
