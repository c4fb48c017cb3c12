/** Prometheus' text format, 0.0.4: each metric with its help, its type and its lines. */
import type { Histogram, Labels, Sample } from "./histogram.ts";

export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One part of a histogram metric, with its own labels. */
export interface HistogramPart {
  readonly labels: Labels;
  readonly histogram: Histogram;
}

/** One metric with all its lines. */
export interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: Iterable<Sample>;
  /** For a histogram: where its samples come from. */
  readonly parts?: readonly HistogramPart[];
}

/** One value, or several samples. */
type Values = { readonly value: number } | { readonly samples: readonly Sample[] };

export function counter(name: string, { help, ...values }: { help: string } & Values): Family {
  return { name, type: "counter", help, samples: "value" in values ? [values] : values.samples };
}

export function gauge(name: string, { help, ...values }: { help: string } & Values): Family {
  return { name, type: "gauge", help, samples: "value" in values ? [values] : values.samples };
}

export function histogram(
  name: string,
  { help, parts }: { help: string; parts: readonly HistogramPart[] },
): Family {
  const samples = parts.flatMap(({ labels, histogram }) => [...histogram.samples(labels)]);
  return { name, type: "histogram", help, samples, parts };
}

/** Formats a metric's lines, escaped as the format requires. */
export function formatFamily({ name, type, help, samples }: Family): string {
  const escapedHelp = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  let text = `# HELP ${name} ${escapedHelp}\n# TYPE ${name} ${type}\n`;
  for (const { suffix = "", labels = {}, value } of samples) {
    text += `${name}${suffix}${formatLabels(labels)} ${value}\n`;
  }
  return text;
}

function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) =>
    `${name}="${escapedLabel(String(value))}"`
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapedLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
