/** The lab's rows as text, for people. */
import type { Objectives } from "./people/objectives.ts";
import type { GuessRow } from "./people/guess_row.ts";
import type { PeopleComparison } from "./people/people_comparison.ts";
import type { FeltFigures } from "./people/people_row.ts";
import type { CauseCounts, DragonRow } from "./predictions/dragon_row.ts";
import type { QueueRow } from "./queues/queue_row.ts";

/** A row's network profile and kind of link. */
export type RowKey = Pick<QueueRow, "profile" | "link">;

/**
 * One row's results, from both games or from one. Each row with dragons has both objectives of the
 * laws. If people played, `felt` is what they saw, and `people` compares it with the client from
 * before the page guessed. If people played a game of the kit, a row has `guess` alone.
 */
export type Row = RowKey & Partial<QueueRow> & Partial<DragonRow> & {
  readonly objectives?: Objectives;
  readonly felt?: FeltFigures;
  readonly people?: PeopleComparison;
  readonly guess?: GuessRow;
};

/** One row as one to five lines. */
export function textOf(row: Row): string {
  const prefix = `${row.link.padEnd(8)} ${row.profile.padEnd(10)}`;
  const parts: string[] = [];
  if (hasQueue(row)) parts.push(queueText(row));
  if (hasDragons(row)) parts.push(dragonText(row));
  if (row.objectives !== undefined) parts.push(objectivesText(row.objectives));
  if (row.felt !== undefined) parts.push(feltText(row.felt));
  if (row.people !== undefined) parts.push(comparisonText(row.people));
  if (row.guess !== undefined) parts.push(guessText(row.guess));
  return parts.map((part) => `${prefix} ${part}`).join("\n");
}

/** Summarises all rows: a line for each game that was played. */
export function summaryOf(rows: readonly Row[]): string {
  const queues = rows.filter(hasQueue);
  const dragons = rows.filter(hasDragons);
  const lines: string[] = [];
  if (queues.length > 0) lines.push(queueSummary(queues));
  if (dragons.length > 0) lines.push(dragonSummary(dragons));
  return lines.join("\n");
}

function hasQueue(row: Row): row is Row & QueueRow {
  return row.lateShare !== undefined;
}

function hasDragons(row: Row): row is Row & DragonRow {
  return row.popMeter !== undefined;
}

const percent = (share: number, digits = 2) =>
  `${(share * 100).toFixed(digits)} %`.padStart(5 + digits);

function queueText(row: QueueRow): string {
  const ms = (value: number) => value.toFixed(1).padStart(6);
  return `late ${percent(row.lateShare)} (first 5 s ${percent(row.lateFirstShare)})  wait ${
    ms(row.waitMs)
  }  oracle ${ms(row.oracleMs)}  static ${ms(row.staticMs)}  ratio ${
    (row.waitMs / row.oracleMs).toFixed(2)
  }  phase ${row.phaseWaitMs.toFixed(1)}  rate ${
    percent(row.rateMax)
  }  skipped ${row.skippedTicks}  foreknown ${percent(row.npcForeknownShare)} at ${
    row.npcQueueTicks.toFixed(1)
  } of ${row.npcQueueTicksLeast}`;
}

function dragonText(row: DragonRow): string {
  return `own ${percent(row.ownCorrectionsShare, 3)}  remote ${row.remoteErrorM.toFixed(4)} m of ${
    row.remoteErrorUnavoidableM.toFixed(4)
  }  foreknown ${percent(row.npcForeknownShare)} at ${
    row.npcQueueTicks.toFixed(1)
  } of ${row.npcQueueTicksLeast}  pops ${row.popMeter.toFixed(2)}  attributed ${
    percent(row.attributedShare)
  }  ${row.rollbacks} rollbacks  ${row.contacts} contacts  own: ${
    causesText(row.ownCorrections)
  }; remote: ${causesText(row.remoteCorrections)}`;
}

function objectivesText({ felt, queueMs, waitMs, lateShare }: Objectives): string {
  return `objective ${felt.toFixed(2)} pops/s; the one before ${queueMs.toFixed(1)} ms (wait ${
    waitMs.toFixed(1)
  } ms, late ${percent(lateShare).trim()})`;
}

function feltText(felt: FeltFigures): string {
  const metres = (value: number) => `${value.toFixed(2)} m`;
  return `people: drawn − simulated p95 ${
    metres(felt.drawnMinusSimulatedP95M)
  }, drawn − definitive p95 ${metres(felt.drawnMinusDefinitiveP95M)}, head ${
    metres(felt.remoteErrorM)
  }, pops ${felt.popMeter.toFixed(2)}, false deaths ${
    felt.falseDeathsPerMinute.toFixed(1)
  } a minute, marks wrong ${percent(felt.markWrongShare)}, effects taken back ${
    felt.effectsTakenBackPerMinute.toFixed(0)
  } a minute`;
}

function comparisonText(people: PeopleComparison): string {
  const styles = Object.entries(people.remoteErrorToBeforeByStyle).map(([name, ratio]) =>
    `${name} ${ratio.toFixed(3)}`
  );
  return `over the client before: head ${people.remoteErrorToBefore.toFixed(3)} (${
    styles.join(", ")
  }), pops ${people.popMeterToBefore.toFixed(3)}`;
}

function guessText({ guessed, assumed, ...to }: GuessRow): string {
  const styles = Object.entries(to.drawnErrorToAssumedByStyle).map(([name, ratio]) =>
    `${name} ${ratio.toFixed(3)}`
  );
  return `rivals drawn ${guessed.drawnErrorM.toFixed(3)} m off, with assumed commands ${
    assumed.drawnErrorM.toFixed(3)
  } m: ${to.drawnErrorToAssumed.toFixed(3)} (${styles.join(", ")}); head ${
    to.headErrorToAssumed.toFixed(3)
  }, pops ${to.popMeterToAssumed.toFixed(3)}, things ${to.thingsHeadErrorToAssumed.toFixed(3)}`;
}

function causesText(counts: CauseCounts): string {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  return present.map(([cause, count]) => `${count} ${cause}`).join(", ") || "none";
}

function queueSummary(rows: readonly QueueRow[]): string {
  const ratios = rows.filter(({ profile }) => profile !== "bloat").map(({ waitMs, oracleMs }) =>
    waitMs / oracleMs
  );
  const late = sorted(rows.map(({ lateShare }) => lateShare));
  const p90 = sorted(ratios)[Math.ceil(0.9 * ratios.length) - 1];
  const geometric = Math.exp(
    ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length,
  );
  return `late median ${percent(late[late.length >> 1]!)}; wait / oracle: mean ${
    geometric.toFixed(3)
  }, p90 ${p90?.toFixed(2)}, worst ${Math.max(...ratios).toFixed(2)}`;
}

function dragonSummary(rows: readonly DragonRow[]): string {
  const errors = rows.map(({ remoteErrorM, remoteErrorUnavoidableM }) =>
    remoteErrorM / remoteErrorUnavoidableM
  );
  return `remote error / reference: worst ${Math.max(...errors).toFixed(3)}; attributed: least ${
    percent(Math.min(...rows.map(({ attributedShare }) => attributedShare)))
  }; pops: worst ${Math.max(...rows.map(({ popMeter }) => popMeter)).toFixed(2)}`;
}

function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}
