/** The real server, exporting to a collector of this test. */
import { assertEquals, assertGreater } from "@std/assert";
import { ServerProcess } from "../../support/servers/server_process.ts";
import { Stranger } from "../../support/sockets/stranger.ts";

/** The parts of OTLP's JSON that this test reads. */
interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}

interface Point {
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue: string };
  }[];
  readonly asDouble?: number;
  readonly count?: string;
  readonly explicitBounds?: readonly number[];
}

interface Export {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly scope: { readonly name: string };
      readonly metrics: readonly Metric[];
    }[];
  }[];
}

/** Receives exports of metrics. */
class Collector implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #arrived = Promise.withResolvers<readonly Metric[]>();
  readonly paths = new Set<string>();

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        const body = await request.json() as Partial<Export>;
        this.paths.add(pathname);
        const scopes = (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics);
        const ours = scopes.find(({ scope }) => scope.name === "wyvern");
        if (ours !== undefined) {
          this.#arrived.resolve(ours.metrics);
          this.#arrived = Promise.withResolvers();
        }
        return new Response("{}");
      },
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** The first export from now on for which the condition holds. */
  async until(condition: (metrics: readonly Metric[]) => boolean): Promise<readonly Metric[]> {
    for (;;) {
      const metrics = await this.#arrived.promise;
      if (condition(metrics)) return metrics;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

const pointsOf = (metrics: readonly Metric[], name: string): readonly Point[] => {
  const metric = metrics.find((each) => each.name === name);
  return (metric?.sum ?? metric?.gauge ?? metric?.histogram)?.dataPoints ?? [];
};

Deno.test("OpenTelemetry: the exported metrics are those of /metrics, with the same values (SPEC 14.40)", async () => {
  await using collector = new Collector();
  await using server = await ServerProcess.startWith(
    {
      OTEL_DENO: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
      OTEL_TRACES_EXPORTER: "none",
      OTEL_DENO_CONSOLE: "ignore",
    },
    "--npcs",
    "0",
  );
  const player = await Stranger.join(server.port);
  const text = await (await fetch(`${server.url}metrics`)).text();
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]),
  );
  assertGreater(types.size, 35);

  // It plays until the export has come, because a client without commands is sent away after 10 s.
  let isExported = false;
  const playing = player.playUntil(() => isExported);
  const exported = await collector.until((metrics) => (
    pointsOf(metrics, "wyvern_clients")[0]?.asDouble === 1 &&
    pointsOf(metrics, "wyvern_http_answers_total").length > 0
  ));
  isExported = true;
  await playing;

  // OpenTelemetry leaves out what has no value yet.
  const valued = [...types.keys()].filter((name) =>
    new RegExp(`^${name}(_count [1-9]|\\{| )`, "m").test(text)
  );
  assertGreater(valued.length, 30);
  assertEquals(valued.filter((name) => !exported.some((metric) => metric.name === name)), []);

  for (const { name, sum, gauge, histogram, unit } of exported) {
    const type = sum?.isMonotonic ? "counter" : gauge ? "gauge" : histogram ? "histogram" : "none";
    assertEquals(type, types.get(name), name);
    assertEquals(
      unit,
      name.includes("_seconds") ? "s" : name.includes("_bytes") ? "By" : "1",
      name,
    );
  }

  const [duration] = pointsOf(exported, "wyvern_tick_duration_seconds");
  assertGreater(Number(duration!.count), 0);
  assertEquals(duration!.explicitBounds?.at(-1), 1);
  const limits = pointsOf(exported, "wyvern_limit").map((
    { attributes, asDouble },
  ) => [attributes[0]!.value.stringValue, asDouble]);
  assertEquals(limits.sort(), [["connections", 2500], ["rooms", 200], ["sockets", 2000]]);
  player.cut();
  // The server is killed at the end of the block: with OpenTelemetry, Deno 2.9.6 on a busy machine may
  // not end by itself, because it waits for an export that waits for it.
  assertEquals([...collector.paths], ["/v1/metrics"], "neither traces nor logs");
});
