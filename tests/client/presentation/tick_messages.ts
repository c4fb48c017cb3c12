/** Tick messages for tests of the telemetry. */
import type { TickMessage } from "../../../shared/netcode/wire/messages.ts";

/**
 * A tick message without announcements, changes of presence or state, unless the changes add them.
 */
export function tickMessage(
  tick: number,
  changes: Partial<TickMessage<unknown>> = {},
): TickMessage<unknown> {
  const nothing = { presence: [], announcements: [], state: undefined };
  return { type: "tick", tick, hash: 0, slackMs: 30, advisedLeadMs: 90, ...nothing, ...changes };
}
