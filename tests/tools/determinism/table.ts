/**
 * Writes the table of the page `/same-bits`: what each physics engine gives in each JavaScript
 * engine that is installed here. Each row is written at once, so that a run may be interrupted.
 */
import { TICKS } from "../../../client/same_bits/measure.ts";
import {
  LIBRARY_NAMES,
  LIBRARY_TITLES,
  type LibraryName,
  type MeasuredEngine,
  type MeasuredLibrary,
  type MeasuredTable,
  summaryOf,
} from "../../../client/same_bits/table.ts";
import type { Engine } from "./engine.ts";
import { ENGINES, type EngineSource } from "./engines.ts";

const FILE = new URL("../../../client/same_bits/measured.json", import.meta.url);

const PROCESSORS = { x86_64: "x86-64", aarch64: "arm64" } as const;
const HERE = PROCESSORS[Deno.build.arch];

/**
 * @param sources of the engines to measure; the others keep their rows
 * @param watched wraps each engine
 * @returns the whole table as it is in the file now
 * @throws Error if an engine fails
 */
export async function writeTable(
  sources: readonly EngineSource[],
  watched: (engine: Engine) => Engine,
): Promise<MeasuredTable> {
  let table = await readTable();
  for (const source of sources) {
    // It is Deno again, and its row would say the same twice.
    if (source.name === "bundle") continue;
    const engine = watched(await source.start());
    try {
      table = withRow(table, await rowOf(engine, source));
    } finally {
      await engine.close();
    }
    await Deno.writeTextFile(FILE, `${JSON.stringify(table, null, 2)}\n`);
  }
  return table;
}

/** The file's rows; none if they are of runs with another number of ticks. */
async function readTable(): Promise<MeasuredTable> {
  const table: MeasuredTable = JSON.parse(await Deno.readTextFile(FILE));
  return table.ticks === TICKS ? table : { ticks: TICKS, engines: [] };
}

async function rowOf(
  engine: Engine,
  { isEmulated = false }: EngineSource,
): Promise<MeasuredEngine> {
  const measured = async (library: LibraryName) => {
    const { engine: name, ms: _, ...measurement } = await engine.run({ library, ticks: TICKS });
    return { name, measurement };
  };

  const { name, measurement: wyvern } = await measured("wyvern");
  const others: Partial<Record<LibraryName, MeasuredLibrary>> = {};
  for (const library of isEmulated ? [] : LIBRARY_NAMES) {
    if (library !== "wyvern") others[library] = (await measured(library)).measurement;
  }
  const processor = isEmulated ? "arm64, emulated by QEMU" : HERE;
  return { name: engine.name, engine: name, processor, wyvern, others };
}

/** Rows are in the order of the engines. */
function withRow({ ticks, engines }: MeasuredTable, row: MeasuredEngine): MeasuredTable {
  const rows = [...engines.filter(({ name }) => name !== row.name), row];
  const order = ENGINES.map(({ name }) => name as string);
  return { ticks, engines: rows.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name)) };
}

/** For the terminal: the hashes of each physics engine, with the engines that gave them. */
export function formatTable(table: MeasuredTable): string {
  return LIBRARY_NAMES.flatMap((library) => {
    const { hashes, repeats, rollsBack } = summaryOf(table, library);
    const back = rollsBack === null
      ? "cannot go back"
      : rollsBack
      ? "goes back"
      : "goes back WRONG";
    return [
      `${LIBRARY_TITLES[library]}: ${
        repeats ? "repeats itself" : "differs when run AGAIN"
      }, ${back}`,
      ...hashes.map(({ hash, engines }) => `  ${hash}  ${engines.join(" · ")}`),
    ];
  }).join("\n");
}
