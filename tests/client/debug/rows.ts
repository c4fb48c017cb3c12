/** Telemetry rows for tests of the overlay. */
import type { TelemetryRow } from "../../../client/presentation/telemetry.ts";

/** Five seconds over a good network, with changes. */
export function rowsOf(
  changes: (tick: number) => Partial<TelemetryRow> = () => ({}),
): TelemetryRow[] {
  return Array.from({ length: 100 }, (_, tick) => ({
    atMs: tick * 50,
    tick,
    slackMs: 30,
    leadMs: 80,
    advisedLeadMs: 90,
    inputDelayTicks: 0,
    roundTripMs: 60,
    rollbacks: 0,
    resimulatedTicks: 0,
    rollbackMs: 0,
    steppedTicks: 1,
    stepMs: 0.5,
    late: 0,
    npcCommands: 4,
    npcForeknown: 4,
    bytesTicks: 30,
    bytesStates: 0,
    bytesPings: 1,
    bytesUp: 10,
    inStep: 1,
    streams: 0,
    desyncs: 0,
    ...changes(tick),
  }));
}
