/** What the page's workers tell it. */
import type { Measurement } from "./measure.ts";

export type WorkerMessage =
  | { readonly kind: "progress"; /** 0 to 1. */ readonly share: number }
  | { readonly kind: "done"; readonly measurement: Measurement };
