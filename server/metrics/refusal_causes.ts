/** Why requests, sockets and sessions are refused, as the metrics count them. */

/** Why requests are refused, as the metrics and the log name it. */
export const REFUSAL_CAUSES = [
  "starting",
  "path",
  "host",
  "origin",
  "banned",
  "rate",
  "requests",
  "house_full",
  "address_full",
  "ticket",
] as const;
export type RefusalCause = typeof REFUSAL_CAUSES[number];
