/** Plants in the protocol's probabilities: each is one more or one less. */
import type { FileName } from "../files.ts";
import { type Plant, plantsInWire } from "./plants_of.ts";

/** Each constant with its value. */
const OF_CLIENT = {
  P_COMMAND: 4060,
  P_PING: 3900,
  P_COMMAND_NEXT_TICK: 4070,
  P_RECEIVED_NEXT_TICK: 3300,
  P_LEAD_UNCHANGED: 1600,
  P_STATUS: 8,
  P_STATUS_AGAIN: 4040,
  P_STATE_REQUEST: 64,
  P_BODIES_ACK_IS_RECEIVED: 3000,
  P_PIGGYBACKED: 205,
  P_PLAYER_UNCHANGED: 3350,
  P_SHORT: 4050,
  P_NEAR_REFERENCE: 4050,
  P_REFERENCE_OFFSET: 3900,
  P_REFERENCE_LEAD: 3300,
  P_REFERENCE_COUNT: 3800,
  P_SHORT_UNCHANGED: 2700,
};
const OF_SERVER = {
  P_TICK: 3900,
  P_PRESENCE_CHANGE: 16,
  P_PLAYER_ANNOUNCES: 3800,
  P_NPC_ANNOUNCES: 4040,
  P_SILENT_SEAT_ANNOUNCES: 12,
  P_ANNOUNCES_MORE: 120,
  P_ANNOUNCES_MORE_WITH_STATE: 3900,
  P_ANNOUNCED_NEXT_TICK: 4030,
  P_NPC_UNCHANGED: 3750,
  P_BASELINE_DIFFERS: 64,
  P_ADVICE_CHANGED: 700,
  P_BODY_STREAM_STARTS: 256,
  P_BODIES_AGAIN: 4088,
  P_BODIES_START: 8,
  P_BODIES_IN_DATAGRAM: 256,
  P_ARRIVALS: 4000,
  P_ARRIVALS_NEXT_TICK: 2500,
  P_ALL_ARRIVED_ONCE: 3600,
  P_ARRIVED: 3600,
  P_ARRIVED_ONCE: 2600,
  P_COMMANDS_READ: 4000,
};
const OF_BODIES = {
  P_BODY_SENT_AGAIN: 3600,
  P_BODY_REMOVED: 200,
  P_NEW_BODY: 2050,
  P_BODY_AS_PREDICTED_OLD: 3800,
  P_JOINT_SENT: 24,
  P_NEXT_ID_DIFFERS: 10,
  P_BODY_AS_PREDICTED: 8,
  P_TELEPORTED: 16,
  P_FIELDS_AS_PREDICTED: 3700,
  P_FIELD_AS_PREDICTED: 2050,
};
/** Each list with its values. */
const LISTS = {
  P_BODY_SENT_AT_AGE: [0, 740, 590, 590, 590, 590, 590, 410, 410, 500, 4090],
  P_SPEED_LENGTHS: [1340, 70, 64, 150, 430, 850, 2080, 890, 1300, 2400],
  P_POSITION_LENGTHS_STEADY: [2500, 3000, 2600, 2400, 2200, 2000],
  P_POSITION_LENGTHS_DEFLECTED: [1960, 1650, 820, 820, 890, 960, 1550],
  P_SPEED_LENGTHS_NEW: [300, 60, 60, 100, 150, 300, 500, 800, 1400, 1600, 2600, 2600],
  P_POSITION_LENGTHS_NEW: [40, 20, 20, 20, 20, 20, 20, 20, 40, 80, 200, 500, 1200, 2600, 3000],
};

function constants(
  vectors: readonly FileName[],
  values: Readonly<Record<string, number>>,
): Plant[] {
  const changes = Object.entries(values).map(([name, value]) =>
    [`${name} = ${value}`, `${name} = ${value < 2048 ? value + 1 : value - 1}`] as const
  );
  return plantsInWire("probabilities.ts", vectors, changes);
}

/** One plant for each entry of a list. The probability at age 0 is never used. */
function entries(): Plant[] {
  return Object.entries(LISTS).flatMap(([name, values]) =>
    values.flatMap((value, i) => {
      if (value === 0) return [];
      const changed = values.with(i, value < 2048 ? value + 1 : value - 1);
      const textOf = (list: readonly number[]) => `${name} = [${list.join(", ")}]`;
      return plantsInWire("probabilities.ts", ["server_messages"], [[
        textOf(values),
        textOf(changed),
      ]]);
    })
  );
}

export const PROBABILITY_PLANTS: readonly Plant[] = [
  ...constants(["client_messages"], OF_CLIENT),
  ...constants(["server_messages"], { ...OF_SERVER, ...OF_BODIES }),
  ...entries(),
];
