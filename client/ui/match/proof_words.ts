/**
 * The proof in words: how many ticks this page simulated exactly as the server did. The numbers are
 * those of the hash checks, so they say what was compared, and nothing that was not.
 */
import type { Proof } from "../../presentation/match_presenter.ts";

/** "1,240 ticks". */
function ticksText(ticks: number): string {
  return `${ticks.toLocaleString("en")} ${ticks === 1 ? "tick" : "ticks"}`;
}

/** "31 times". */
function timesText(times: number): string {
  return times === 1 ? "once" : `${times.toLocaleString("en")} times`;
}

/** Words the seal beside the ping in two parts, because small screens leave out the second. */
export function sealText({ ticks }: Proof): { count: string; words: string } {
  return { count: ticks.toLocaleString("en"), words: ` ${ticks === 1 ? "tick" : "ticks"} proven` };
}

/**
 * Words what the hash checks found, for the end of a round. A tick that differed is said so: it was
 * healed by the server's state, but it was not predicted exactly.
 */
export function proofText({ ticks, differences, rollbacks }: Proof): string {
  const rolledBack = rollbacks === 0 ? "Never rolled back" : `Rolled back ${timesText(rollbacks)}`;
  const found = differences === 0
    ? "0 bits differ"
    : `${ticksText(differences)} differed and ${differences === 1 ? "was" : "were"} healed`;
  return `${rolledBack}, ${found}: ${ticksText(ticks)} proven`;
}
