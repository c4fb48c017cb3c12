/**
 * The visitor's JavaScript engine and processor, as far as the browser tells. Browsers round their
 * versions and name old processors on purpose, so the words are few, and the same for many visitors.
 */

import type { HashReport, Processor } from "../../shared/hash_reports.ts";

/** Who ran the scene. */
export type Visitor = Pick<HashReport, "engine" | "processor">;

/** Names in a user agent, the rarer ones first, because each browser names those that it descends from. */
const BROWSERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["Edge", /\bEdg(?:A|iOS)?\/(\d{1,4})/],
  ["Opera", /\bOPR\/(\d{1,4})/],
  ["Samsung Internet", /\bSamsungBrowser\/(\d{1,4})/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d{1,4})/],
  ["Chromium", /\b(?:Headless)?(?:Chrome|Chromium|CriOS)\/(\d{1,4})/],
  ["Safari", /\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

/** @param userAgent as `navigator.userAgent` */
export function visitorOf(userAgent: string): Visitor {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return { engine: `${name} ${version}`, processor: processorOf() };
  }
  return { engine: "unknown", processor: processorOf() };
}

/**
 * The kind of processor, which a user agent does not tell: macOS on ARM calls itself Intel, and
 * Android in desktop mode x86. When infinity is subtracted from itself, the unit for floating point
 * of x86 sets the sign of the NaN, and that of ARM clears it.
 */
function processorOf(): Processor {
  const numbers = new Float32Array([Infinity]);
  numbers[0] = numbers[0]! - numbers[0]!;
  const highest = new Uint8Array(numbers.buffer)[3];
  if (highest === 0xff) return "x86";
  return highest === 0x7f ? "ARM" : "unknown";
}
