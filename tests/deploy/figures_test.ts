/**
 * The dashboard and the alert rules name metrics that the server has, and use them as their types
 * allow.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { programPath, runProgram } from "../support/programs.ts";
import { ServerProcess } from "../support/servers/server_process.ts";
import { Stranger } from "../support/sockets/stranger.ts";
import { ClusterNode } from "../support/cluster/cluster_node.ts";
import { NatsServers } from "../support/nats/nats_servers.ts";
import { parseYaml } from "./std_yaml.ts";

const FOLDER = new URL("../../docs/deploy/", import.meta.url);

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: {
      readonly x: number;
      readonly y: number;
      readonly w: number;
      readonly h: number;
    };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
}

/** A metric as `/metrics` shows it. */
interface Metric {
  readonly type: string;
  readonly labels: ReadonlySet<string>;
}

const rules = (parseYaml(await Deno.readTextFile(new URL("alerts.yml", FOLDER))) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}).groups.flatMap(({ rules }) => rules);
const dashboard: Dashboard = JSON.parse(await Deno.readTextFile(new URL("dashboard.json", FOLDER)));
const queries = dashboard.panels.flatMap(({ targets }) => targets);

/** Labels that Prometheus adds by itself. */
const TARGET_LABELS = ["instance", "job"];
/** Functions, aggregations and their words. */
const PROMQL_WORDS = new Set([
  "rate",
  "increase",
  "histogram_quantile",
  "sum",
  "max",
  "by",
  "without",
  "on",
  "ignoring",
  "group_left",
]);

/** Every metric of a real server of two games with a player, by name. */
async function metricsOfServer(): Promise<Map<string, Metric>> {
  await using server = await ServerProcess.start("--games", "dragons,puck", "--npcs", "0");
  const refused = await Stranger.upgrade(server.port, {
    headers: ["Origin: https://elsewhere.example"],
  });
  const unknown = await Stranger.join(server.port, { room: "no room" });
  const player = await Stranger.join(server.port);
  await player.leave();
  assertEquals([refused.status, unknown.closeInfo?.code, player.closeInfo?.code], [
    403,
    4003,
    1000,
  ]);
  for (const stranger of [refused, unknown]) stranger.cut();
  let text: string;

  // An answer is counted when it has ended, and its client may have it earlier.
  do text = await (await fetch(`${server.url}metrics`)).text(); while (
    !text.includes("wyvern_http_answers_total{")
  );
  return metricsIn(text);
}

/** The metrics of a server with match processes. */
async function metricsOfWorkers(): Promise<Map<string, Metric>> {
  await using server = await ServerProcess.start("--workers", "2", "--npcs", "0");
  return metricsIn(await (await fetch(`${server.url}metrics`)).text());
}

/** The metrics of a node of a cluster. */
async function metricsOfNode(): Promise<Map<string, Metric>> {
  await using servers = await NatsServers.start();
  await using node = await ClusterNode.start(servers.all.map(({ port }) => port), { npcs: 0 });
  return metricsIn(await (await fetch(`${node.url}/metrics`)).text());
}

/** @param text an answer to `/metrics` */
function metricsIn(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const samples = [...text.matchAll(new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, "gm"))];
    const labels = samples.flatMap(([, pairs]) =>
      [...pairs!.matchAll(/(\w+)="/g)].map(([, label]) => label!)
    );
    metrics.set(type === "histogram" ? `${name}_bucket` : name!, {
      type: type!,
      labels: new Set(labels),
    });
  }
  return metrics;
}

/** What is wrong with a query; empty if nothing is. */
function faultsOf(expr: string, metrics: ReadonlyMap<string, Metric>): string[] {
  const faults: string[] = [];
  const code = expr.replaceAll(/"[^"]*"/g, '""');
  const known = new Set(TARGET_LABELS);

  for (
    const [, name, selector = "", range] of code.matchAll(
      /\b(wyvern_\w+)(?:\{([^}]*)\})?(\[[^\]]+\])?/g,
    )
  ) {
    const metric = metrics.get(name!);
    if (metric === undefined) {
      faults.push(`there is no ${name}`);
      continue;
    }
    for (const label of metric.labels) known.add(label);
    if ((metric.type === "gauge") === (range !== undefined)) {
      faults.push(`${name} is a ${metric.type}`);
    }
    for (const [, label] of selector.matchAll(/(\w+)=/g)) {
      if (!metric.labels.has(label!) && !TARGET_LABELS.includes(label!)) {
        faults.push(`${name} has no label ${label}`);
      }
    }
  }

  for (const [, labels] of code.matchAll(/\b(?:by|without|on|ignoring|group_left) ?\(([^)]*)\)/g)) {
    for (const label of labels!.split(/, ?/)) {
      if (!known.has(label)) faults.push(`no metric there has a label ${label}`);
    }
  }

  for (const [, word] of code.matchAll(/\b([a-z_]+) ?\(/g)) {
    if (!PROMQL_WORDS.has(word!)) faults.push(`what is ${word}?`);
  }
  if (code.split("(").length !== code.split(")").length) faults.push("parentheses do not match");
  return faults;
}

Deno.test("docs/deploy: dashboard and alerts name metrics and labels that the server has", async () => {
  const metrics = await metricsOfServer();
  assertGreater(metrics.size, 35);
  assertEquals(metrics.get("wyvern_rooms")?.labels, new Set(["game"]));
  assertGreater(queries.length, 40);
  assertGreater(rules.length, 12);

  // Rules are for servers with match processes and for clusters, too.
  const ofAll = new Map([...await metricsOfWorkers(), ...await metricsOfNode(), ...metrics]);
  const faults = [
    ...queries.map(({ expr }) => [expr, faultsOf(expr, metrics)] as const),
    ...rules.map(({ expr }) => [expr, faultsOf(expr, ofAll)] as const),
  ];
  assertEquals(faults.filter(([, each]) => each.length > 0), []);

  // A label that a text shows must be there after the aggregation, or a metric without one has it.
  for (const { expr, legendFormat } of queries) {
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
      assert(expr.includes(label!), `${label}: ${expr}`);
    }
  }

  // Nothing that the server measures is left out of the dashboard.
  const shown = queries.map(({ expr }) => expr).join(" ");
  assertEquals([...metrics.keys()].filter((name) => !shown.includes(name)), []);
});

Deno.test("faultsOf: wrong names, labels, types, words and parentheses are found", () => {
  const metrics = new Map<string, Metric>([
    ["wyvern_x_total", { type: "counter", labels: new Set(["cause"]) }],
    ["wyvern_y", { type: "gauge", labels: new Set<string>() }],
  ]);
  const faults: Readonly<Record<string, number>> = {
    "sum by (cause) (rate(wyvern_x_total[5m])) > wyvern_y": 0,
    'rate(wyvern_x_total{cause="a b"}[5m])': 0,
    "wyvern_z > 0": 1,
    "wyvern_x_total > 0": 1,
    "rate(wyvern_y[5m])": 1,
    'wyvern_y{cause="rate"}': 1,
    "sum by (code) (wyvern_y)": 1,
    "ratio(wyvern_x_total[5m])": 1,
    "sum(wyvern_y": 1,
  };
  for (const [expr, count] of Object.entries(faults)) {
    assertEquals(faultsOf(expr, metrics).length, count, expr);
  }
});

Deno.test("docs/deploy: each alert says what is wrong and what to do, and no panel hides another", () => {
  for (const { alert, labels, annotations } of rules) {
    assert(annotations.summary.length > 10 && annotations.action.length > 10, alert);
    assert(["page", "ticket"].includes(labels.severity), alert);
  }
  assertEquals(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  assertEquals(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  assertEquals(dashboard.templating.list.map(({ name }) => name), ["datasource", "instance"]);
  for (const [i, { title, gridPos: a }] of dashboard.panels.entries()) {
    assert(a.x + a.w <= 24, title);
    for (const { title: other, gridPos: b } of dashboard.panels.slice(0, i)) {
      const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      assert(apart, `${title} and ${other}`);
    }
  }
});

// Prometheus' own check, where it is installed: Debian's package is large, and CI does without.
Deno.test({
  name: "docs/deploy: promtool accepts the alert rules",
  ignore: programPath("promtool") === undefined,
  fn: async () =>
    void await runProgram("promtool", "check", "rules", new URL("alerts.yml", FOLDER).pathname),
});
