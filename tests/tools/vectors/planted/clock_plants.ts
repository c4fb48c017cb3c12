/** Plants in a client's clock and lead (WIRE 11). */
import type { FileName } from "../files.ts";
import { type Plant, plantsIn } from "./plants_of.ts";

const CLOCK: readonly FileName[] = ["clock"];

export const CLOCK_PLANTS: readonly Plant[] = [
  ...plantsIn("client/session/clock_sync.ts", CLOCK, [
    ["const JOIN_PONGS = 5;", "const JOIN_PONGS = 4;"],
    ["const JOIN_PING_SPACING_MS = 20;", "const JOIN_PING_SPACING_MS = 40;"],
    ["const JOIN_PINGS_MAX = 20;", "const JOIN_PINGS_MAX = 24;"],
    ["const PING_SPACING_MS = 1000;", "const PING_SPACING_MS = 1100;"],
    ["const SAMPLES_MAX = 8;", "const SAMPLES_MAX = 9;"],
    [
      "const SAMPLE_SPACING_MS = PING_SPACING_MS / 2;",
      "const SAMPLE_SPACING_MS = PING_SPACING_MS / 9;",
    ],
    ["const JOIN_SPREAD_MS_MAX = 300;", "const JOIN_SPREAD_MS_MAX = 310;"],
    ["const JOIN_TIMEOUT_MS = 1500;", "const JOIN_TIMEOUT_MS = 1600;"],
    ["const PIGGYBACK_EARLY_MS = 200;", "const PIGGYBACK_EARLY_MS = 0;"],
    ["nowMs - sentAtMs - waitedTicks * this.#tickMs", "nowMs - sentAtMs"],
    ["(networkMs / 2 - arrivedMs) / this.#tickMs", "(networkMs - arrivedMs) / this.#tickMs"],
    ["if (sample.roundTripMs < samples.at(-1)!.roundTripMs)", "if (sample.roundTripMs < 0)"],
    [
      "each.roundTripMs < best.roundTripMs ? each : best",
      "each.roundTripMs <= best.roundTripMs ? each : best",
    ],
    ["sorted[Math.min(3, sorted.length - 1)]!", "sorted[sorted.length - 1]!"],
    ["return fastest / 2 + 40 +", "return fastest / 2 + 41 +"],
    ["0.7 * Math.min(", "0.8 * Math.min("],
    ["const TOLERANCE_MS = 10;", "const TOLERANCE_MS = 8;"],
    ["const TOLERANCE_MS = 10;", "const TOLERANCE_MS = 13;"],
    ["const ROUTE_MS_MAX = 90;", "const ROUTE_MS_MAX = 85;"],
    ["const ROUTE_MS_MAX = 90;", "const ROUTE_MS_MAX = 95;"],
    ["errorMsMax(sample) + errorMsMax(fastest)", "2 * errorMsMax(sample)"],
    ["Math.min(shorterMs, ROUTE_MS_MAX)", "ROUTE_MS_MAX"],
    [
      "if (number < this.#firstPingAfterContradiction) {",
      "if (this.#firstPingAfterContradiction === Infinity) {",
    ],
    ["        this.#nextPingMs = nowMs;\n", ""],
    ["      this.#samples.fill(sample);\n", ""],
    ["    this.#firstPingAfterContradiction = Infinity;\n", ""],
  ]),
  ...plantsIn("client/session/time_dilation.ts", CLOCK, [
    ["const RATE_MAX = 0.0495;", "const RATE_MAX = 0.05;"],
    ["const CONVERGE_MS = 200;", "const CONVERGE_MS = 250;"],
    ["const LEAD_JUMP_MS = 500;", "const LEAD_JUMP_MS = 700;"],
    ["const ANCHOR_STEP_MS = 0.3;", "const ANCHOR_STEP_MS = 0.4;"],
    ["const ANCHOR_JUMP_MS = 250;", "const ANCHOR_JUMP_MS = 350;"],
    ["const ANCHOR_JUMP_MS = 250;", "const ANCHOR_JUMP_MS = 150;"],
    ["this.leadMs > 0 && errorMs > this.leadMs;", "false;"],
    ["errorMs > this.leadMs;", "errorMs > this.leadMs + 20;"],
    ["    this.#headTicks += ticks;\n", ""],
    ["this.#headTicks = serverTicks + leadMs / this.#tickMs;", "this.#headTicks = serverTicks;"],
    ["Math.max(CONVERGE_MS, elapsedMs)", "CONVERGE_MS"],
  ]),
  ...plantsIn("client/session/tick_clock.ts", CLOCK, [
    [
      "    if (timeDilation.advisedMs > this.#leadMsMax) ",
      "    if (timeDilation.advisedMs > Infinity) ",
    ],
    ["    if (!this.#hasBegun) return;\n", "    if (this.#hasBegun) return;\n"],
    [", clockSync.jumps > jumps);", ", false);"],
    ["const JITTER_MS_MAX = 250;", "const JITTER_MS_MAX = 255;"],
    ["this.#clockSync.slowestMs + JITTER_MS_MAX", "this.#clockSync.fastestMs + JITTER_MS_MAX"],
  ]),
];
