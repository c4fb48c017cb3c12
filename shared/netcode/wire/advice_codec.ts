/** What a tick message holds for one client alone: the slack of its commands, and the lead that the server advises. */
import { type Coder, WireError } from "./range_coder.ts";
import { clampToBits, dequantizeLead, LEAD_BITS, quantizeLead, type TickMessage } from "./messages.ts";
import { P_ADVICE_CHANGED } from "./probabilities.ts";

const SLACK_BITS = 12;
const SLACK_HALF = 1 << (SLACK_BITS - 1);

/** What one client is told. */
export type Advice = Pick<TickMessage<never>, "slackMs" | "advisedLeadMs">;

/** On the wire a lead of 0 means that there is no advice yet. */
export const NO_ADVICE: Advice = { slackMs: 0, advisedLeadMs: 0 };

/** As it will be told: rounded, and held at its limits. */
export function roundedAdvice({ slackMs, advisedLeadMs }: Advice): Advice {
  return {
    slackMs: clampToBits(slackMs + SLACK_HALF, SLACK_BITS) - SLACK_HALF,
    advisedLeadMs: dequantizeLead(quantizeLead(advisedLeadMs)),
  };
}

/** @param advice rounded @param baseline what this client was told last; undefined where that is not certain */
export function codeAdvice(advice: Advice, baseline: Advice | undefined, coder: Coder): Advice {
  coder.part = "advice";
  if (baseline === undefined) {
    const slackMs = coder.bits(advice.slackMs + SLACK_HALF, SLACK_BITS) - SLACK_HALF;
    return { slackMs, advisedLeadMs: dequantizeLead(coder.bits(quantizeLead(advice.advisedLeadMs), LEAD_BITS)) };
  }
  const differs = advice.slackMs !== baseline.slackMs || advice.advisedLeadMs !== baseline.advisedLeadMs;
  if (!coder.flag(differs, P_ADVICE_CHANGED)) return baseline;
  const slackMs = baseline.slackMs + coder.signedVarint(advice.slackMs - baseline.slackMs);
  if (slackMs < -SLACK_HALF || slackMs >= SLACK_HALF) throw new WireError(`a slack of ${slackMs} ms`);
  const before = quantizeLead(baseline.advisedLeadMs);
  return {
    slackMs,
    advisedLeadMs: dequantizeLead(before + coder.signedVarint(quantizeLead(advice.advisedLeadMs) - before)),
  };
}
