/**
 * The metrics of several processes as one text. The labels `worker` and `machine` of each sample name
 * the process that it comes from.
 */
import type { Labels } from "./histogram.ts";
import { type Family, formatFamily } from "./metric_text.ts";

/** A family as a message carries it. */
export interface PlainFamily {
  readonly name: string;
  readonly type: Family["type"];
  readonly help: string;
  readonly samples: readonly {
    readonly suffix?: string | undefined;
    readonly labels?: Labels | undefined;
    /** Null for a value that JSON cannot hold. */
    readonly value: number | null;
  }[];
}

/** One process's families, and the labels that name it. */
export interface NamedFamilies {
  readonly labels: Labels;
  readonly families: Iterable<Family>;
}

/** Adds the labels to each family. */
export function* labelled({ labels: own, families }: NamedFamilies): Generator<Family> {
  for (const { parts, samples, ...family } of families) {
    const named = (labels: Labels = {}) => ({ ...own, ...labels });
    yield {
      ...family,
      samples: Array.from(samples, (sample) => ({ ...sample, labels: named(sample.labels) })),
      ...parts && { parts: parts.map((part) => ({ ...part, labels: named(part.labels) })) },
    };
  }
}

/** Makes the text, in which each name stands once, with the samples of all processes. */
export function mergedText(processes: readonly NamedFamilies[]): string {
  const byName = new Map<string, Family>();
  for (const family of processes.flatMap((each) => [...labelled(each)])) {
    const first = byName.get(family.name) ?? { ...family, samples: [] };
    byName.set(family.name, { ...first, samples: [...first.samples, ...family.samples] });
  }
  return Array.from(byName.values(), formatFamily).join("");
}

/** Makes families fit for a message. */
export function plainFamilies(families: Iterable<Family>): PlainFamily[] {
  return Array.from(families, ({ name, type, help, samples }) => ({
    name,
    type,
    help,
    samples: Array.from(samples, (sample) => ({ ...sample, labels: { ...sample.labels } })),
  }));
}

/** Reads families from a message. A value that JSON cannot hold becomes NaN. */
export function familiesFrom(answer: readonly PlainFamily[]): Family[] {
  return answer.map((family) => ({
    ...family,
    samples: family.samples.map(({ suffix = "", labels = {}, value }) => ({
      suffix,
      labels,
      value: value ?? NaN,
    })),
  }));
}
