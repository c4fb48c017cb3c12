/**
 * The table of what was measured: `deno task prove determinism --table` writes `measured.json`, and
 * the page shows it beside the visitor's own result.
 */
import type { Measurement } from "./measure.ts";

/** The physics engines that run the full scene, ours first. */
export const LIBRARY_NAMES = ["wyvern", "planck", "matter", "rapier"] as const;
export type LibraryName = typeof LIBRARY_NAMES[number];

/** How people know them. */
export const LIBRARY_TITLES: Readonly<Record<LibraryName, string>> = {
  wyvern: "Wyvern",
  planck: "planck 1.5.0",
  matter: "matter-js 0.20.0",
  rapier: "Rapier 0.20.0, deterministic build",
};

/** Without times, because those of a test machine say nothing to a visitor. */
export type MeasuredLibrary = Omit<Measurement, "ms">;

/** What the physics engines gave in one JavaScript engine. */
export interface MeasuredEngine {
  /** Of the task's engine. A later run of the task replaces what it measures again. */
  readonly name: string;
  /** Such as "Deno 2.9.6". */
  readonly engine: string;
  /** Such as "x86-64". */
  readonly processor: string;
  readonly wyvern: MeasuredLibrary;
  /** An emulator runs Wyvern alone, so there these are missing. */
  readonly others: Readonly<Partial<Record<LibraryName, MeasuredLibrary>>>;
}

export interface MeasuredTable {
  /** Of each run. */
  readonly ticks: number;
  readonly engines: readonly MeasuredEngine[];
}

/** What a table says about one physics engine. */
export interface LibrarySummary {
  /** Different hashes, the most frequent first. */
  readonly hashes: readonly { readonly hash: string; readonly engines: readonly string[] }[];
  /** Whether a second run gave the same everywhere. */
  readonly repeats: boolean;
  /** Whether runs with rollbacks gave the same everywhere; null if it cannot go back. */
  readonly rollsBack: boolean | null;
}

export function summaryOf({ engines }: MeasuredTable, library: LibraryName): LibrarySummary {
  const byHash = new Map<string, string[]>();
  const measurements: MeasuredLibrary[] = [];
  for (const { engine, processor, wyvern, others } of engines) {
    const measurement = library === "wyvern" ? wyvern : others[library];
    if (measurement === undefined) continue;
    measurements.push(measurement);
    const { hash } = measurement;
    const names = byHash.get(hash) ?? [];
    names.push(`${engine}, ${processor}`);
    byHash.set(hash, names);
  }
  const canGoBack = measurements.every(({ rolledBack }) => rolledBack !== null);
  return {
    hashes: [...byHash].map(([hash, names]) => ({ hash, engines: names }))
      .sort((a, b) => b.engines.length - a.engines.length),
    repeats: measurements.every(({ hash, again }) => hash === again),
    rollsBack: canGoBack ? measurements.every(({ hash, rolledBack }) => hash === rolledBack) : null,
  };
}
