/** Every kind of fault, by its name in a schedule. */
import type { DrawnKind } from "../schedule.ts";
import { CLIENT_FAULTS } from "./client_faults.ts";
import type { FaultKind } from "./fault.ts";
import { CONNECTION_FAULTS } from "./connection_faults.ts";
import { SERVER_FAULTS } from "./server_faults.ts";
import { STRANGER_FAULTS } from "./stranger_faults.ts";
import { TICKET_FAULTS } from "./ticket_faults.ts";

export const FAULT_KINDS: Readonly<Record<string, FaultKind>> = {
  ...CONNECTION_FAULTS,
  ...CLIENT_FAULTS,
  ...SERVER_FAULTS,
  ...STRANGER_FAULTS,
  ...TICKET_FAULTS,
};

/** The kinds, as a schedule draws them. */
export const DRAWN_KINDS: readonly DrawnKind[] = Object.entries(FAULT_KINDS).map((
  [kind, { weight }],
) => (
  { kind, weight }
));
