/**
 * Tests the arithmetic of `bench workers`, and how it reads several processes. It does not judge
 * times.
 */
import { assertEquals } from "@std/assert";
import { runTask } from "../../../support/task.ts";
import { sumOf } from "../match/server_readings.ts";
import { workersReport } from "./main.ts";

Deno.test("workersReport: cost without the idle time, and matches on half of each core", () => {
  const load = { matchTicksPerSecond: 200, bytesPerTick: 100, desyncs: 0, byDatagram: 0 };
  const one = {
    idle: 20,
    loads: [100, 120, 500].map((cpuMsPerSecond) => ({ cpuMsPerSecond, ...load })),
  };
  const several = { idle: 40, loads: [{ cpuMsPerSecond: 150, ...load }] };
  const cluster = { idle: 60, loads: [{ cpuMsPerSecond: 180, ...load }] };
  assertEquals(workersReport({ one, several, cluster, workers: 2, rooms: 10 }), {
    workers: 2,
    rooms: 10,
    cpuMsPerMatchTick: { one: 0.5, several: 0.55, ratio: 1.1, cluster: 0.6, clusterRatio: 1.2 },
    idleMsPerSecond: { one: 20, several: 40, cluster: 60 },
    busMsPerMatchTick: { pipes: 0.1, cluster: 0.2 },
    matchesCarried: { one: 50, several: 90, ratio: 1.82 },
  });
});

Deno.test("sumOf: samples of all processes, with one label or with any, and no other metric", () => {
  const metrics = [
    "# TYPE wyvern_clients gauge",
    'wyvern_clients{worker="1"} 3',
    'wyvern_clients{worker="2"} 4',
    'wyvern_clients_total{worker="1"} 90',
    "wyvern_rooms 5",
    'c{worker="1",verdict="late"} 1',
    'c{verdict="taken"} 2',
  ].join("\n");
  assertEquals([
    sumOf(metrics, "wyvern_clients"),
    sumOf(metrics, "wyvern_rooms"),
    sumOf(metrics, "c"),
  ], [7, 5, 3]);
  assertEquals([sumOf(metrics, "c", 'verdict="late"'), sumOf(metrics, "nothing")], [1, NaN]);
});

Deno.test("bench workers: an invalid flag is reported, and the exit code is 2", async () => {
  const { code, stderr } = await runTask("bench", "workers", "--workers", "1");
  assertEquals([code, stderr], [
    2,
    'bench: --workers cannot be "1"; allowed: a whole number 2 to 16\n',
  ]);
});
