/** All attacks. */
import type { Attack } from "./attack.ts";
import { CONNECTION_ATTACKS } from "./attacks/connections.ts";
import { FAIRNESS_ATTACKS } from "./attacks/fairness.ts";
import { HANDSHAKE_ATTACKS } from "./attacks/handshakes.ts";
import { HTTP_ATTACKS } from "./attacks/http.ts";
import { NODE_ATTACKS } from "./attacks/nodes.ts";
import { LOG_ATTACKS } from "./attacks/logs.ts";
import { OPERATION_ATTACKS } from "./attacks/operations.ts";
import { ORIGIN_ATTACKS } from "./attacks/origins.ts";
import { PAUSE_ATTACKS } from "./attacks/pauses.ts";
import { PATH_ATTACKS } from "./attacks/paths.ts";
import { PROCESS_ATTACKS } from "./attacks/process.ts";
import { PROTOCOL_ATTACKS } from "./attacks/protocol.ts";
import { REQUEST_ATTACKS } from "./attacks/requests.ts";
import { RULE_ATTACKS } from "./attacks/rules.ts";
import { SEAT_ATTACKS } from "./attacks/seats.ts";
import { SECRET_ATTACKS } from "./attacks/secrets.ts";
import { SESSION_ATTACKS } from "./attacks/sessions.ts";
import { SOCKET_ATTACKS } from "./attacks/sockets.ts";
import { SYNC_ATTACKS } from "./attacks/sync.ts";
import { TEXT_ATTACKS } from "./attacks/texts.ts";
import { TICKET_ATTACKS } from "./attacks/tickets.ts";

/** In the order of a run, except that a run groups attacks on the same server. */
export const ATTACKS: readonly Attack[] = [
  ...HTTP_ATTACKS,
  ...REQUEST_ATTACKS,
  ...ORIGIN_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...SOCKET_ATTACKS,
  ...PROTOCOL_ATTACKS,
  ...SYNC_ATTACKS,
  ...SEAT_ATTACKS,
  ...SECRET_ATTACKS,
  ...TICKET_ATTACKS,
  ...TEXT_ATTACKS,
  ...OPERATION_ATTACKS,
  ...FAIRNESS_ATTACKS,
  ...HANDSHAKE_ATTACKS,
  ...SESSION_ATTACKS,
  ...PATH_ATTACKS,
  ...PAUSE_ATTACKS,
  ...PROCESS_ATTACKS,
  ...RULE_ATTACKS,
  ...NODE_ATTACKS,
  ...LOG_ATTACKS,
];
