import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { formatFamily } from "../../../server/metrics/metric_text.ts";
import { Histogram } from "../../../server/metrics/histogram.ts";
import { type GameReadings, Metrics, type Readings } from "../../../server/metrics/metrics.ts";

const DRAGONS: GameReadings = {
  rooms: 2,
  clients: 9,
  reservedSeats: 3,
  orderedRooms: 0,
  slowestRoomTickSeconds: 0.0125,
  totals: {
    ticks: 800,
    commandsTaken: 7_000,
    commandsLate: 12,
    commandsLateByServer: 5,
    commandsRefused: 3,
    statesSent: 9,
    desyncs: 2,
    skipped: 1,
    bytesDown: 123_456,
    bytesUp: 65_432,
  },
};

const READINGS: Readings = {
  connections: 4,
  tickShare: 1,
  tickLoad: 0.25,
  isReady: true,
  stalledSeconds: 0,
  bans: 0,
  matchLogs: { openCount: 3, failures: 3, recovered: 2, setAside: 4 },
  results: { failures: 2, lost: 5 },
  cluster: {
    freeSeats: new Map([["eu", 120]]),
    nodes: 3,
    isConnected: true,
    fenced: 1,
    takeOvers: 2,
    late: 6,
    isInDoubt: false,
    fault: undefined,
    dropped: { unsigned: 11, secret: 16, forged: 12, stale: 13, replayed: 14 },
    clocks: { apart: 1, aheadMs: 10_250 },
    ...{ resultsWaiting: 7, resultsLost: 8, resultsRefused: 9, notArchived: 10 },
  },
  logDropped: 0,
  logErrors: 0,
  portReopened: 1,
  policyLeftOut: 15,
  limits: { connections: 2500, sockets: 2000, rooms: 200 },
  sockets: { websocket: 11, webtransport: 7 },
  datagrams: {
    paths: 5,
    opening: 3,
    received: 90,
    sent: 80,
    receivedDropped: 2,
    sentDropped: 1,
    handshakes: {
      opened: 9,
      full: 4,
      address_full: 0,
      refused: 0,
      late: 6,
      broken: 0,
      vanished: 0,
    },
  },
  unsentBytes: 4321,
  ticks: 400,
  uptimeSeconds: 20,
  games: new Map([["dragons", DRAGONS]]),
};

/** A line of the exposition format 0.0.4: name, labels, value. */
const SAMPLE =
  /^([a-z_]+)(\{[a-z]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z]+="(?:[^"\\\n]|\\[\\"n])*")*\})? (\d+(?:\.\d+)?)$/;

/**
 * Values by name and labels.
 * @throws AssertionError if a line does not have the exposition format
 */
function parsed(text: string): Map<string, number> {
  const values = new Map<string, number>();
  const typed = new Map<string, string>();
  assert(text.endsWith("\n"));

  for (const line of text.trimEnd().split("\n")) {
    const [, typedName, type] = line.match(/^# TYPE ([a-z_]+) (counter|gauge|histogram)$/) ?? [];
    if (typedName !== undefined) {
      assert(!typed.has(typedName), `${typedName} stands twice`);
      typed.set(typedName, type!);
    } else if (!line.startsWith("# HELP ")) {
      assertMatch(line, SAMPLE);
      const [, name, labels = "", value] = line.match(SAMPLE)!;
      const family = [...typed].at(-1)!;
      assertEquals(
        family[1] === "histogram" ? name!.replace(/_(bucket|sum|count)$/, "") : name,
        family[0],
      );
      assert(!values.has(name! + labels), `${line} stands twice`);
      values.set(name! + labels, Number(value));
    }
  }

  return values;
}

Deno.test("Histogram: a value falls into the first bucket whose bound holds it; buckets add up to the count", () => {
  const histogram = new Histogram([0.01, 0.05]);
  for (const value of [0, 0.01, 0.011, 0.05, 0.2, 0.3]) histogram.observe(value);
  const text = formatFamily({
    name: "x",
    type: "histogram",
    help: "h",
    samples: histogram.samples(),
  });
  assertEquals(text.split("\n"), [
    "# HELP x h",
    "# TYPE x histogram",
    'x_bucket{le="0.01"} 2',
    'x_bucket{le="0.05"} 4',
    'x_bucket{le="+Inf"} 6',
    "x_sum 0.571",
    "x_count 6",
    "",
  ]);
});

Deno.test("formatFamily: no help text and no label can end its line", () => {
  const samples = [{ labels: { why: 'a "b"\nc\\' }, value: 1 }];
  assertEquals(
    formatFamily({ name: "x", type: "counter", help: 'two\nlines \\ "', samples }),
    '# HELP x two\\nlines \\\\ "\n# TYPE x counter\nx{why="a \\"b\\"\\nc\\\\"} 1\n',
  );
});

Deno.test("Metrics.text: a node of several has its own lines, and a server alone has none of them", () => {
  const linesOf = (readings: typeof READINGS) => {
    const values = [...parsed(new Metrics(["dragons"]).text(readings))];
    return Object.fromEntries(values.filter(([name]) => name.startsWith("wyvern_cluster_")));
  };
  assertEquals(linesOf(READINGS), {
    wyvern_cluster_nodes: 3,
    'wyvern_cluster_free_seats{region="eu"}': 120,
    wyvern_cluster_connected: 1,
    wyvern_cluster_in_doubt: 0,
    wyvern_cluster_clocks_apart: 1,
    wyvern_cluster_clock_ahead_seconds: 10.25,
    'wyvern_cluster_messages_dropped_total{why="unsigned"}': 11,
    'wyvern_cluster_messages_dropped_total{why="secret"}': 16,
    'wyvern_cluster_messages_dropped_total{why="forged"}': 12,
    'wyvern_cluster_messages_dropped_total{why="stale"}': 13,
    'wyvern_cluster_messages_dropped_total{why="replayed"}': 14,
    wyvern_cluster_fenced_total: 1,
    wyvern_cluster_take_overs_total: 2,
    wyvern_cluster_late_total: 6,
    wyvern_cluster_results_waiting: 7,
    wyvern_cluster_results_lost_total: 8,
    wyvern_cluster_results_refused_total: 9,
    wyvern_cluster_unarchived_total: 10,
  });
  const { cluster: _, ...alone } = READINGS;
  assertEquals(linesOf(alone as typeof READINGS), {});
});

Deno.test("Metrics.text: every reading and every count has its line", () => {
  const metrics = new Metrics(["dragons"]);
  metrics.observeTick("dragons", 0.0042);
  metrics.tickLateness.observe(0.3);
  metrics.eventLoopLag.observe(0.015);
  metrics.countAnswer(200, 0.002);
  metrics.countAnswer(404, 6);
  metrics.ticksDropped += 5;
  metrics.countRefusal("rate");
  metrics.countRefusal("rate");
  metrics.countClose(4006, { by: "server", transport: "websocket" });
  metrics.countClose(1001, { by: "peer", transport: "websocket" });
  const values = parsed(metrics.text(READINGS));
  const expected: Record<string, number> = {
    'wyvern_tick_duration_seconds_bucket{le="0.002"}': 0,
    'wyvern_tick_duration_seconds_bucket{le="0.005"}': 1,
    "wyvern_tick_duration_seconds_sum": 0.0042,
    'wyvern_tick_lateness_seconds_bucket{le="0.2"}': 0,
    "wyvern_tick_lateness_seconds_count": 1,
    'wyvern_event_loop_lag_seconds_bucket{le="0.02"}': 1,
    'wyvern_http_duration_seconds_bucket{le="5"}': 1,
    "wyvern_http_duration_seconds_sum": 6.002,
    'wyvern_http_answers_total{status="404"}': 1,
    "wyvern_reserved_seats": 3,
    "wyvern_room_tick_slowest_seconds": 0.0125,
    "wyvern_desyncs_total": 2,
    'wyvern_limit{of="sockets"}': 2000,
    "wyvern_ports_reopened_total": 1,
    "wyvern_policy_left_out": 15,
    "wyvern_ticks_total": 400,
    "wyvern_connections": 4,
    "wyvern_tick_load": 0.25,
    "wyvern_ready": 1,
    "wyvern_match_logs_open": 3,
    "wyvern_match_logs_failed_total": 3,
    "wyvern_match_logs_recovered_total": 2,
    "wyvern_results_failed_total": 2,
    "wyvern_results_lost_total": 5,
    "wyvern_ticks_dropped_total": 5,
    "wyvern_match_ticks_total": 800,
    "wyvern_rooms": 2,
    "wyvern_clients": 9,
    'wyvern_sockets{transport="websocket"}': 11,
    "wyvern_unsent_bytes": 4321,
    "wyvern_uptime_seconds": 20,
    'wyvern_commands_total{verdict="taken"}': 7_000,
    'wyvern_commands_total{verdict="late"}': 12,
    'wyvern_commands_total{verdict="refused"}': 3,
    "wyvern_commands_late_by_server_total": 5,
    "wyvern_states_sent_total": 9,
    "wyvern_tick_messages_skipped_total": 1,
    "wyvern_down_bytes_total": 123_456,
    "wyvern_up_bytes_total": 65_432,
    'wyvern_refusals_total{cause="rate"}': 2,
    'wyvern_refusals_total{cause="origin"}': 0,
    'wyvern_closes_total{by="server",code="4006",transport="websocket"}': 1,
    'wyvern_closes_total{by="peer",code="1001",transport="websocket"}': 1,
  };
  for (const [name, value] of Object.entries(expected)) assertEquals(values.get(name), value, name);
});

Deno.test("Metrics.text: links have their transport, handshakes an outcome, and datagrams a direction (SPEC 16.21)", () => {
  const metrics = new Metrics(["dragons"]);
  for (const transport of ["websocket", "webtransport", "webtransport"] as const) {
    metrics.countClose(4006, { by: "server", transport });
  }
  const values = parsed(metrics.text(READINGS));
  const expected: Record<string, number> = {
    'wyvern_sockets{transport="webtransport"}': 7,
    'wyvern_closes_total{by="server",code="4006",transport="websocket"}': 1,
    'wyvern_closes_total{by="server",code="4006",transport="webtransport"}': 2,
    "wyvern_handshakes_open": 3,
    "wyvern_datagram_paths": 5,
    'wyvern_handshakes_total{outcome="opened"}': 9,
    'wyvern_handshakes_total{outcome="late"}': 6,
    'wyvern_datagrams_total{direction="in"}': 90,
    'wyvern_datagrams_total{direction="out"}': 80,
    'wyvern_datagrams_dropped_total{direction="in"}': 2,
    'wyvern_datagrams_dropped_total{direction="out"}': 1,
  };
  for (const [name, value] of Object.entries(expected)) assertEquals(values.get(name), value, name);
});

Deno.test("Metrics.text: of several games each has its label, below one type (SPEC 7.20)", () => {
  const metrics = new Metrics(["dragons", "puck"]);
  metrics.observeTick("puck", 0.0042);
  const puck: GameReadings = {
    ...DRAGONS,
    rooms: 5,
    totals: { ...DRAGONS.totals, commandsLate: 4 },
  };
  const values = parsed(
    metrics.text({ ...READINGS, games: new Map([["dragons", DRAGONS], ["puck", puck]]) }),
  );
  const expected: Record<string, number> = {
    'wyvern_rooms{game="dragons"}': 2,
    'wyvern_rooms{game="puck"}': 5,
    'wyvern_clients{game="puck"}': 9,
    'wyvern_commands_total{game="dragons",verdict="late"}': 12,
    'wyvern_commands_total{game="puck",verdict="late"}': 4,
    'wyvern_tick_duration_seconds_bucket{game="puck",le="0.005"}': 1,
    'wyvern_tick_duration_seconds_count{game="dragons"}': 0,
    "wyvern_ticks_total": 400,
  };
  for (const [name, value] of Object.entries(expected)) assertEquals(values.get(name), value, name);
});

Deno.test("Metrics.countClose: a peer's arbitrary codes add no lines", () => {
  const metrics = new Metrics(["dragons"]);
  for (let code = 1000; code < 5000; code++) {
    metrics.countClose(code, { by: "peer", transport: "websocket" });
  }
  const text = metrics.text(READINGS);
  assertStringIncludes(text, 'code="other"');
  const closes = [...parsed(text)].filter(([name]) => name.startsWith("wyvern_closes_total"));
  assert(closes.length < 30, `${closes.length} lines`);
  assertEquals(closes.reduce((sum, [, value]) => sum + value, 0), 4_000);
});
