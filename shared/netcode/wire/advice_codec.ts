/**
 * The advice to one client in a tick message: the slack of its commands, and the lead that the
 * server advises.
 */
import { type Coder, WireError } from "./range_coder.ts";
import {
  clampToBits,
  dequantizeLead,
  LEAD_BITS,
  quantizeLead,
  type TickMessage,
} from "./messages.ts";
import { P_ADVICE_CHANGED } from "./probabilities.ts";

const SLACK_BITS = 12;
const SLACK_HALF = 1 << (SLACK_BITS - 1);

/** One client's slack and advised lead, ms. */
export type Advice = Pick<TickMessage<never>, "slackMs" | "advisedLeadMs">;

/** On the wire a lead of 0 means that there is no advice yet. */
export const NO_ADVICE: Advice = { slackMs: 0, advisedLeadMs: 0 };

/** Advice as the client will receive it: rounded, and clamped to its range. */
export function roundedAdvice({ slackMs, advisedLeadMs }: Advice): Advice {
  return {
    slackMs: clampToBits(slackMs + SLACK_HALF, SLACK_BITS) - SLACK_HALF,
    advisedLeadMs: dequantizeLead(quantizeLead(advisedLeadMs)),
  };
}

/**
 * Writes or reads advice.
 * @param advice rounded (`roundedAdvice`)
 * @param baseline the advice of the previous message; undefined for a self-contained message
 * @throws WireError for values out of range
 */
export function codeAdvice(advice: Advice, baseline: Advice | undefined, coder: Coder): Advice {
  coder.part = "advice";

  // Self-contained
  if (baseline === undefined) {
    const slackMs = coder.bits(advice.slackMs + SLACK_HALF, SLACK_BITS) - SLACK_HALF;
    return {
      slackMs,
      advisedLeadMs: dequantizeLead(coder.bits(quantizeLead(advice.advisedLeadMs), LEAD_BITS)),
    };
  }

  // As a difference from the previous message
  const differs = advice.slackMs !== baseline.slackMs ||
    advice.advisedLeadMs !== baseline.advisedLeadMs;
  if (!coder.flag(differs, P_ADVICE_CHANGED)) return baseline;

  const slackMs = baseline.slackMs + coder.signedVarint(advice.slackMs - baseline.slackMs);
  if (slackMs < -SLACK_HALF || slackMs >= SLACK_HALF) {
    throw new WireError(`a slack of ${slackMs} ms`);
  }

  const before = quantizeLead(baseline.advisedLeadMs);
  return {
    slackMs,
    advisedLeadMs: dequantizeLead(
      before + coder.signedVarint(quantizeLead(advice.advisedLeadMs) - before),
    ),
  };
}
