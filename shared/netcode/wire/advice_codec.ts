/**
 * The advice to one client in a tick message: its commands' slack, and the lead that the server
 * advises.
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

/** No advice yet: on the wire a lead of 0 says so. */
export const NO_ADVICE: Advice = { slackMs: 0, advisedLeadMs: 0 };

/** Rounds advice and clamps it to its range, as the client will receive it. */
export function roundedAdvice({ slackMs, advisedLeadMs }: Advice): Advice {
  return {
    slackMs: clampToBits(slackMs + SLACK_HALF, SLACK_BITS) - SLACK_HALF,
    advisedLeadMs: dequantizeLead(quantizeLead(advisedLeadMs)),
  };
}

/**
 * Writes or reads advice.
 * @param advice rounded (`roundedAdvice`)
 * @param baseline the previous message's advice; undefined for a self-contained message
 * @throws WireError if a value is out of range
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
