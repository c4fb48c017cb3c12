/** Faults of one player's device, and what players do themselves. */
import { connectionOf, type FaultKind } from "./fault.ts";

/** How often a hidden page does something, ms. */
const PULSE_MS = 250;

/** The device stands still: it neither hears nor sends. */
const clientStall: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const player = connectionOf(world, fault)?.player;
    if (player !== undefined) {
      player.sleep = { untilMs: world.lab.nowMs + fault.ms, hearsMessages: false };
    }
  },
};

/** The page hears messages, and its timers wait. */
const hiddenTab: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const player = connectionOf(world, fault)?.player;
    if (player !== undefined) {
      player.sleep = { untilMs: world.lab.nowMs + fault.ms, hearsMessages: true };
    }
  },
};

/**
 * The page is hidden and knows it from its browser: a worker wakes it four times a second, and it
 * sends no commands.
 */
const hiddenPage: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const connection = connectionOf(world, fault);
    const { lab } = world;
    const endMs = lab.nowMs + fault.ms;
    if (connection === undefined) return;
    connection.awayUntilMs = endMs;
    const nap = () => {
      if (lab.nowMs >= endMs || !connection.isOpen) return;
      connection.player.sleep = {
        untilMs: Math.min(endMs, lab.nowMs + PULSE_MS),
        hearsMessages: true,
      };
      world.later(PULSE_MS, nap);
    };
    nap();
  },
};

/** The device slept for a moment, as its clock shows. */
const clockJump: FaultKind = {
  weight: 1,
  begin(world, fault) {
    const clock = connectionOf(world, fault)?.player.clock;
    if (clock !== undefined) clock.aheadMs += fault.ms;
  },
};

/** The program ends without a word, and comes back with its token. */
const clientCrash: FaultKind = {
  weight: 1,
  begin(world, fault) {
    if (connectionOf(world, fault) !== undefined) world.residents[fault.who]!.crash(fault.ms);
  },
};

/** The player leaves, and another one comes. */
const otherPlayer: FaultKind = {
  weight: 1,
  begin(world, fault) {
    if (connectionOf(world, fault) !== undefined) world.residents[fault.who]!.leave(fault.ms);
  },
};

/** The player opens their seat in another window. */
const seatTakeOver: FaultKind = {
  weight: 1,
  begin(world, fault) {
    if (world.isUp) world.residents[fault.who]?.takeOver();
  },
};

export const CLIENT_FAULTS = {
  "stall of a client": clientStall,
  "hidden tab": hiddenTab,
  "hidden page": hiddenPage,
  "clock jump": clockJump,
  "client crash and return": clientCrash,
  "a player leaves, another comes": otherPlayer,
  "seat take-over": seatTakeOver,
} as const;
