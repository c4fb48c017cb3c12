/**
 * Reloads the pages of `deno task dev` after each build. This script fetches the page again and again. Once the fetched
 * page no longer names this script, it reloads. The build renames the script whenever anything in the page has changed.
 */

/** The time between two fetches, ms. An answer costs the server next to nothing. */
const PERIOD_MS = 500;

const ownName = new URL(import.meta.url).pathname;

async function reloadWhereChanged(): Promise<void> {
  try {
    const page = await fetch(location.pathname);
    if (page.ok && !(await page.text()).includes(ownName)) location.reload();
  } catch {
    // The server is restarting.
  }
}

setInterval(reloadWhereChanged, PERIOD_MS);
