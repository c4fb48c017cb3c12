/** Faults of one player's connection. */
import { Random } from "../../../../shared/random.ts";
import { connectionOf, type FaultKind } from "./fault.ts";

/** The connection is cut, and both ends notice. */
const cut: FaultKind = {
  weight: 2,
  begin(world, fault) {
    connectionOf(world, fault)?.player.serverEnd.close(1006, "cut");
  },
};

/** Nothing reaches the server for a while; then everything does, or the connection is cut. */
const halfOpenUp: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const connection = connectionOf(world, fault);
    connection?.link.hold({ upMs: fault.ms });
    if (fault.draw % 3 === 0) {
      world.later(fault.ms, () => connection?.player.serverEnd.close(1006, "half-open"));
    }
  },
};

/** Nothing reaches the client for a while; then everything does, or the connection is cut. */
const halfOpenDown: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const connection = connectionOf(world, fault);
    connection?.link.hold({ downMs: fault.ms });
    if (fault.draw % 3 === 0) {
      world.later(fault.ms, () => connection?.player.serverEnd.close(1006, "half-open"));
    }
  },
};

/** Both directions stand still, and then deliver everything at once. */
const burst: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const ms = Math.min(fault.ms, 1_500);
    connectionOf(world, fault)?.link.hold({ upMs: ms, downMs: ms });
  },
};

const loss: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const lost = 0.05 + 0.5 * new Random(fault.draw).fraction();
    connectionOf(world, fault)?.link.disorder({ untilMs: world.lab.nowMs + fault.ms, lost });
  },
};

const duplication: FaultKind = {
  weight: 1,
  begin(world, fault) {
    connectionOf(world, fault)?.link.disorder({
      untilMs: world.lab.nowMs + fault.ms,
      repeated: 0.5,
    });
  },
};

const reordering: FaultKind = {
  weight: 1,
  begin(world, fault) {
    connectionOf(world, fault)?.link.disorder({ untilMs: world.lab.nowMs + fault.ms, late: 0.4 });
  },
};

/**
 * The connection carries nothing from now on, and neither end is told, because a NAT has forgotten
 * it.
 */
const forgotten: FaultKind = {
  weight: 1,
  begin(world, fault) {
    connectionOf(world, fault)?.link.forget();
  },
};

/** The server has closed the connection, but the client does not hear of it. */
const swallowedClose: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const connection = connectionOf(world, fault);
    connection?.link.forget();
    connection?.player.serverEnd.close(1006, "the client does not hear of it");
  },
};

/** The client has given the connection up, but the server does not hear of it. */
const unheardEnd: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const connection = connectionOf(world, fault);
    connection?.link.forget();
    connection?.session.giveUp("the server does not hear of it");
  },
};

/** The connection is cut, and the next one carries nothing for a while after it has opened. */
const hungOpening: FaultKind = {
  weight: 1,
  begin(world, fault) {
    if (connectionOf(world, fault) !== undefined) world.residents[fault.who]!.hangNext(fault.ms);
  },
};

export const CONNECTION_FAULTS = {
  "cut": cut,
  "half-open line, up": halfOpenUp,
  "half-open line, down": halfOpenDown,
  "forgotten line": forgotten,
  "swallowed close": swallowedClose,
  "end that the server does not hear": unheardEnd,
  "hung opening": hungOpening,
  "burst of delay": burst,
  "loss": loss,
  "duplication": duplication,
  "reordering": reordering,
} as const;
