/**
 * The same metrics for OpenTelemetry. Deno exports them if it runs with `OTEL_DENO=true`; otherwise
 * the API does nothing, and none of the callbacks here is ever called.
 */
import { type Meter, metrics, type Observable } from "@opentelemetry/api";
import type { Family } from "./metric_text.ts";

const METER = "wyvern";

/**
 * Lets OpenTelemetry read all metrics.
 * @param families returns the present values, each time with the same names
 */
export function exportMetrics(
  families: () => Iterable<Family>,
  meter: Meter = metrics.getMeter(METER),
): void {
  // One instrument for each metric. Histograms are passed on value by value.
  const observables = new Map<string, Observable>();
  for (const family of families()) {
    const { name, type, help: description } = family;
    const unit = unitOf(name);
    if (type === "histogram") passOnHistograms(family, meter);
    else {
      const observable = type === "counter"
        ? meter.createObservableCounter(name, { description, unit })
        : meter.createObservableGauge(name, { description, unit });
      observables.set(name, observable);
    }
  }

  meter.addBatchObservableCallback((result) => {
    for (const { name, samples } of families()) {
      const observable = observables.get(name);
      if (observable === undefined) continue;
      for (const { value, labels = {} } of samples) result.observe(observable, value, labels);
    }
  }, [...observables.values()]);
}

function passOnHistograms({ name, help: description, parts = [] }: Family, meter: Meter): void {
  const [first] = parts;
  if (first === undefined) return;
  const advice = { explicitBucketBoundaries: [...first.histogram.bounds] };
  const histogram = meter.createHistogram(name, { description, unit: unitOf(name), advice });
  for (const { labels, histogram: source } of parts) {
    source.passOn((value) => histogram.record(value, labels));
  }
}

/** The unit's UCUM name, as OpenTelemetry expects. */
function unitOf(name: string): string {
  if (name.includes("_seconds")) return "s";
  return name.includes("_bytes") ? "By" : "1";
}
