/**
 * Only in the pages of `deno task dev`: asks for the page again and again, and loads it anew once it no longer names this very
 * script. The build gives the script a new name whenever anything of the page has changed.
 */

/** How soon a change is seen, ms; an answer costs the server next to nothing. */
const PERIOD_MS = 500;

const ownName = new URL(import.meta.url).pathname;

async function reloadWhereChanged(): Promise<void> {
  try {
    const page = await fetch("/");
    if (page.ok && !(await page.text()).includes(ownName)) location.reload();
  } catch {
    // The server is between two starts.
  }
}

setInterval(reloadWhereChanged, PERIOD_MS);
