/**
 * The script that `deno task dev` adds to a page. It fetches the page again and again, and reloads
 * once the fetched page no longer names this script, because the build renames the script whenever
 * anything in the page changes. It also shows the errors that the build and the type check find,
 * until they are mended, and how the game breaks its contract with the netcode, if it does.
 */
import { ContractReports, type WatchedMatch } from "../debug/contract_reports.ts";
import { basePathOf } from "../ui/page_url.ts";
import { authorsPlace } from "../../shared/source_place.ts";
import type { SourceProblem, SourceProblems } from "../../shared/source_problem.ts";
import { mappedStack } from "./mapped_stack.ts";

/** The time between two fetches, ms. An answer costs the server next to nothing. */
const PERIOD_MS = 500;

const ownName = new URL(import.meta.url).pathname.split("/").at(-1)!;
/** Later mistakes of a page usually follow from the first ones. */
const MISTAKES_MAX = 4;
/** What this page's scripts threw, such as a drawing of the view. A reload forgets it. */
const mistakes: string[] = [];
/** What the build and the type check found. */
let problemText = "";
let banner: HTMLElement | undefined;
let shownText = "";

async function update(): Promise<void> {
  try {
    const page = await fetch(location.pathname);
    if (page.ok && !(await page.text()).includes(ownName)) return location.reload();
    const answer = await fetch("/dev");
    if (answer.ok) showProblems((await answer.json() as SourceProblems).problems);
  } catch {
    // The server is restarting.
  }
}

/**
 * Shows each problem as a line with its file, in a banner and on the console.
 */
function showProblems(problems: readonly SourceProblem[]): void {
  const text = problems.map(({ file, line, column, message }) =>
    `${file}:${line}:${column} ${message}`
  ).join("\n");
  if (text === problemText) return;

  problemText = text;
  if (text !== "") console.error(text);
  show();
}

/** Shows in the banner what the server found and what this page threw; removes it without either. */
function show(): void {
  const text = [problemText, ...mistakes].filter((part) => part !== "").join("\n");
  if (text === shownText) return;
  shownText = text;
  banner?.remove();
  banner = undefined;
  if (text === "") return;

  banner = Object.assign(document.createElement("pre"), {
    id: "source-problems",
    role: "alert",
    textContent: text,
  });

  // The page's policy forbids styles in the markup, but allows these.
  Object.assign(banner.style, {
    position: "fixed",
    inset: "0 0 auto",
    zIndex: "100",
    maxHeight: "40%",
    margin: "0",
    padding: "0.7rem 1rem",
    overflow: "auto",
    whiteSpace: "pre-wrap",
    font: "0.85rem/1.5 monospace",
    color: "#fff",
    background: "#8c1d2f",
  });

  document.body.append(banner);
}

/** Shows what a script of this page threw, with the author's line. */
async function noteMistake(message: string, stack: string): Promise<void> {
  const read = async (url: string) => await (await fetch(url)).text();
  const place = authorsPlace(await mappedStack(stack, read).catch(() => stack));
  const text = place === undefined
    ? message
    : `${place.file}:${place.line}:${place.column} ${message}`;
  if (mistakes.length < MISTAKES_MAX && !mistakes.includes(text)) mistakes.push(text);
  show();
}

const reports = new ContractReports({
  match: () => (globalThis as unknown as { wyvernMatch?: WatchedMatch }).wyvernMatch,
  get: getJson,
  show: (text) => console.error(`Wyvern: ${text}`),
  now: () => performance.now(),
});

/** @param path below the game's page */
async function getJson(path: string): Promise<unknown> {
  try {
    const answer = await fetch(basePathOf(location) + path);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined; // the server is restarting
  }
}

// The overlay's log shows the same sentences.
Object.defineProperty(globalThis, "wyvernFaults", { value: reports.faults });
addEventListener("error", ({ message, error }) => void noteMistake(message, error?.stack ?? ""));
setInterval(update, PERIOD_MS);
setInterval(() => void reports.advance(), PERIOD_MS);
