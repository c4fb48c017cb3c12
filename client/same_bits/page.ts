/**
 * The script of the page `/same-bits`: the visitor's device runs the full scene in a worker, and its
 * hash stands beside those of other engines and processors. It needs nothing but its files, so it
 * works on any server; one that collects hashes gets this one, too.
 */
import { type Collection, type HashReport, REPORTS_NAME } from "../../shared/hash_reports.ts";
import { findElement, make, setHidden, setText } from "../ui/dom.ts";
import type { Measurement } from "./measure.ts";
import type { WorkerMessage } from "./messages.ts";
import measured from "./measured.json" with { type: "json" };
import {
  LIBRARY_NAMES,
  LIBRARY_TITLES,
  type LibraryName,
  type MeasuredTable,
  summaryOf,
} from "./table.ts";
import { visitorOf } from "./visitor.ts";

const TABLE: MeasuredTable = measured;
const EXPECTED = summaryOf(TABLE, "wyvern").hashes[0]?.hash;
const OTHERS = LIBRARY_NAMES.filter((name) => name !== "wyvern");
/**
 * A worker tells of every 50 ticks, which take a tenth of a second on a phone, ms. One that is silent
 * for so long does not end.
 */
const SILENCE_MS_MAX = 30_000;
/** A server that does not answer has no part in this page, ms. */
const SERVER_MS_MAX = 10_000;

const visitor = visitorOf(navigator.userAgent);
const byId = <Kind extends HTMLElement>(id: string) => findElement<Kind>(document, `#${id}`);

/** The newest result; undefined while the first one is measured. */
let own: Measurement | undefined;

/**
 * Measures a physics engine in a worker of its own.
 * @param script the worker's address
 * @throws Error if the worker fails, or says nothing for `SILENCE_MS_MAX`
 */
function measureIn(
  script: string,
  onProgress: (share: number) => void = () => {},
): Promise<Measurement> {
  const worker = new Worker(script, { type: "module" });
  const { promise, resolve, reject } = Promise.withResolvers<Measurement>();
  const giveUp = () => reject(new Error(`the worker says nothing for ${SILENCE_MS_MAX / 1000} s`));
  let timer = setTimeout(giveUp, SILENCE_MS_MAX);
  worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, SILENCE_MS_MAX);
    if (data.kind === "progress") onProgress(data.share);
    else resolve(data.measurement);
  };
  worker.onerror = ({ message }) => reject(new Error(message || "the worker does not load"));
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

/** "the same bits", or what else came out. */
function sameness(hash: string | null, expected: string): string {
  if (hash === null) return "cannot go back";
  return hash === expected ? "the same bits" : `other bits: ${hash}`;
}

async function runOwn(): Promise<void> {
  const progress = byId<HTMLProgressElement>("progress");
  const run = byId<HTMLButtonElement>("run");
  const verdict = byId("verdict");
  run.disabled = true;
  verdict.className = "";
  setText(verdict, "The scene runs.");

  try {
    const script = document.body.dataset["worker"]!;
    own = await measureIn(script, (share) => progress.value = share);
    showOwn(own);
    byId<HTMLButtonElement>("copy").disabled = false;
  } catch (error) {
    setText(verdict, `The scene did not run: ${error instanceof Error ? error.message : error}`);
    verdict.className = "differs";
  }
  run.disabled = false;
}

function showOwn({ hash, again, rolledBack, ms }: Measurement): void {
  setText(byId("hash"), hash);
  setText(byId("duration"), `${Math.round(ms).toLocaleString("en")} ms`);
  setText(byId("again"), sameness(again, hash));
  setText(byId("rolled-back"), sameness(rolledBack, hash));

  const isEqual = [hash, again, rolledBack].every((each) => each === EXPECTED);
  const verdict = byId("verdict");
  verdict.className = isEqual ? "equal" : "differs";
  setText(
    verdict,
    isEqual
      ? `The same bits as in all ${TABLE.engines.length} engines below, in each of ${
        TABLE.ticks.toLocaleString("en")
      } ticks.`
      : `These are other bits than ${EXPECTED}. Please report it: that is a bug of Wyvern.`,
  );
}

/** What "Copy as text" copies. */
function resultText({ hash, again, rolledBack, ms }: Measurement): string {
  return [
    `Wyvern, ${TABLE.ticks} ticks of the full scene`,
    `browser      ${visitor.engine}`,
    `processor    ${visitor.processor}`,
    `hash         ${hash}${hash === EXPECTED ? "" : ` (elsewhere ${EXPECTED})`}`,
    `run again    ${sameness(again, hash)}`,
    `rolled back  ${sameness(rolledBack, hash)}`,
    `time         ${Math.round(ms)} ms`,
    ...TABLE.engines.map(({ engine, processor, wyvern }) =>
      `${wyvern.hash}     ${engine}, ${processor}`
    ),
  ].join("\n");
}

async function copyResult(): Promise<void> {
  const text = byId<HTMLTextAreaElement>("text");
  text.value = resultText(own!);
  try {
    await navigator.clipboard.writeText(text.value);
    setText(byId("copy"), "Copied");
  } catch {
    // Without TLS or permission there is no clipboard, so the visitor copies from the text itself.
    setHidden(text, false);
    text.select();
  }
}

function row(...cells: readonly (HTMLElement | string)[]): HTMLTableRowElement {
  return make("tr", {}, ...cells.map((cell) => make("td", {}, cell)));
}

function hashCell(hash: string): HTMLElement {
  return make("span", {
    className: hash === EXPECTED ? "hash equal" : "hash differs",
    textContent: hash,
  });
}

function showMeasured(): void {
  byId("measured").append(
    ...TABLE.engines.map(({ engine, processor, wyvern }) =>
      row(engine, processor, hashCell(wyvern.hash))
    ),
  );
}

/** "1, in all 6 engines", or each hash with its engines. */
function hashesCell({ hashes }: ReturnType<typeof summaryOf>): HTMLElement | string {
  const [first] = hashes;
  if (first === undefined) return "not measured";
  if (hashes.length === 1) return `1, in all ${first.engines.length} engines`;
  const lines = hashes.map(({ hash, engines }) =>
    make(
      "div",
      {},
      make("span", { className: "hash", textContent: hash }),
      ` ${engines.join(" · ")}`,
    )
  );
  return make("div", {}, `${hashes.length}`, ...lines);
}

function showLibraries(): void {
  const workers = LIBRARY_NAMES.map((name) => workerOf(name));
  const areHere = workers.some((script) => script !== undefined);
  setText(
    byId("libraries-about"),
    "Each gets the same bodies, pushes and shots, and is left as it comes. planck and matter-js use " +
      "Math.sin, cos and atan2, which engines round differently. " +
      (areHere
        ? "You can also run them here (2.5 MB)."
        : "This page does not run them; they were measured with the table above."),
  );
  byId("libraries").append(...LIBRARY_NAMES.map((name) => {
    const summary = summaryOf(TABLE, name);
    const { repeats, rollsBack } = summary;
    const cells = [
      LIBRARY_TITLES[name],
      hashesCell(summary),
      repeats ? "the same bits" : "other bits",
      rollsBack === null ? "cannot save its state" : rollsBack ? "the same bits" : "other bits",
    ];
    const shown = row(...cells);
    shown.dataset["library"] = name;
    if (areHere) shown.append(make("td", { className: "here", textContent: "–" }));
    return shown;
  }));

  setHidden(byId("here-head"), !areHere);
  setHidden(byId("run-libraries"), !areHere);
}

/** The script of a library's worker; undefined on a page that was built without it. */
function workerOf(name: LibraryName): string | undefined {
  return document.body.dataset[`${name}Worker`];
}

/** One after the other, because each of them needs a core. */
async function runLibraries(): Promise<void> {
  const button = byId<HTMLButtonElement>("run-libraries");
  button.disabled = true;
  for (const name of OTHERS) {
    const script = workerOf(name);
    if (script === undefined) continue;
    const cell = findElement(document, `[data-library="${name}"] .here`);
    try {
      const result = await measureIn(
        script,
        (share) => setText(cell, `${Math.round(100 * share)} %`),
      );
      setText(cell, `${result.hash}, again ${sameness(result.again, result.hash)}`);
    } catch (error) {
      setText(cell, `did not run: ${error instanceof Error ? error.message : error}`);
    }
  }
  button.disabled = false;
}

/** @returns undefined from a file server, or from a server that is gone */
async function askServer(report?: HashReport): Promise<Collection | undefined> {
  try {
    const answer = await fetch(REPORTS_NAME, {
      signal: AbortSignal.timeout(SERVER_MS_MAX),
      ...report !== undefined && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(report),
      },
    });
    return answer.ok ? await answer.json() as Collection : undefined;
  } catch {
    return undefined;
  }
}

function showCollected(collection: Collection | undefined): void {
  if (collection === undefined) return;
  setHidden(byId("play"), false);
  setHidden(byId("collected-section"), !collection.collects);
  byId("collected").replaceChildren(
    ...collection.rows.map(({ engine, processor, hash, count }) =>
      row(engine, processor, hashCell(hash), count.toLocaleString("en"))
    ),
  );
}

/** A visitor is counted once, and not for each press of "Run again". */
async function start(): Promise<void> {
  const [collection] = await Promise.all([askServer(), runOwn()]);
  showCollected(collection);
  if (collection?.collects !== true || own === undefined) return;
  const { hash } = own;
  showCollected(await askServer({ ...visitor, ticks: TABLE.ticks, hash }) ?? collection);
}

setText(byId("engine"), visitor.engine);
setText(byId("processor"), visitor.processor);
showMeasured();
showLibraries();
byId("run").addEventListener("click", () => void runOwn());
byId("copy").addEventListener("click", () => void copyResult());
byId("run-libraries").addEventListener("click", () => void runLibraries());
void start();
