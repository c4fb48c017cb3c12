/** A newcomer's project: what `create-wyvern` writes from its archive, installed with npm. */
import type { Browser, Page } from "playwright-core";
import { createPackageOnce, packageOnce, runIn } from "./installed_package.ts";

/** Makes an empty folder beside the archives, and removes all of it after `use`. */
export async function withArchives(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "wyvern-create-" });
  try {
    await Deno.writeFile(`${folder}/wyvern.tgz`, (await packageOnce()).tarball);
    await Deno.writeFile(`${folder}/create.tgz`, (await createPackageOnce()).tarball);
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** npm's arguments for `npm create wyvern`, from the archive. @param folder that of the archives */
export function createArgs(folder: string, ...args: string[]): string[] {
  const program = ["exec", "--yes", "--package", `${folder}/create.tgz`, "--", "create-wyvern"];
  return [...program, ...args];
}

/**
 * Makes a project beside the archives, and installs its packages.
 * @param name of the project's folder
 * @returns the project's folder, and what `create-wyvern` said
 */
export async function createProject(
  folder: string,
  name: string,
): Promise<{ readonly project: string; readonly said: string }> {
  const args = [name, "--template", "side", "--wyvern", "file:../wyvern.tgz"];
  const said = await runIn(folder, "npm", createArgs(folder, ...args));
  const project = `${folder}/${name}`;
  await runIn(project, "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"]);
  return { project, said };
}

/** What a page of a kit game offers to tests. */
export interface PlayedPage {
  readonly wyvern?: { readonly seat: number; readonly definitiveTick: number };
}

/** Opens the lobby, presses a button, and waits until the match has gone on for a second. */
export async function playingPage(
  browser: Browser,
  url: string,
  button: string,
): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.waitForFunction(() => {
    const { wyvern } = globalThis as unknown as PlayedPage;
    return (wyvern?.definitiveTick ?? 0) > 20;
  });
  return page;
}
