/**
 * The files of a cluster: their nodes run with settings that exist and fit together, and all parts
 * name each other.
 */
import {
  assert,
  assertEquals,
  assertGreater,
  assertMatch,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import { NatsClient } from "../../server/match_log/nats/nats_client.ts";
import { UsageError } from "../../shared/flags.ts";
import { GAMES } from "../../shared/games/registry.ts";
import { parseSettings, type Settings, usageFor } from "../../server/settings/settings.ts";
import { newestServer } from "../support/nats/server_program.ts";
import { natsTest } from "../support/nats/with_nats.ts";
import { until } from "../support/cluster/play_now.ts";
import { freePort } from "./nginx.ts";
import { parseYaml, parseYamls } from "./std_yaml.ts";

const FOLDER = new URL("../../docs/deploy/", import.meta.url);
const NODES = 3;
const SERVERS = 3;
/** An image with its version: never the newest one of the day. */
const IMAGE = /^[\w./-]+:\d[\w.-]*$/;
/** Time beyond the grace in which a node hands its matches over, s. */
const BEYOND_GRACE_SECONDS = 10;

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes: readonly string[];
  readonly networks: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly stop_grace_period: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

interface EnvSource {
  readonly secretKeyRef?: { readonly name: string; readonly key: string };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: EnvSource;
  }[];
  readonly ports: readonly { readonly containerPort: number }[];
  readonly readinessProbe: { readonly httpGet?: { readonly path: string; readonly port: number } };
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: number } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // deno-lint-ignore no-explicit-any -- each kind has a shape of its own
  readonly spec: any;
}

const compose = parseYaml(await textIn("compose.yaml")) as Compose;
const resources = parseYamls(await textIn("kubernetes.yaml")) as Resource[];
const natsConf = await textIn("nats.conf");
const image = await textIn("Dockerfile");
const ofPrefix = (prefix: string) =>
  Object.entries(compose.services).filter(([name]) => name.startsWith(prefix));
const nodes = ofPrefix("node-");
const servers = ofPrefix("nats-");

function textIn(name: string): Promise<string> {
  return Deno.readTextFile(new URL(name, FOLDER));
}

/** The image's variables, which a container's own replace; its comments are for people. */
const imageVariables = new Map(
  [...image.replaceAll(/^#.*$/gm, "").matchAll(/\b(WYVERN_\w+)=(\S+)/g)].map((
    [, name, value],
  ) => [name!, value!]),
);

/** As `openssl rand -hex 32` makes it: also one that looks like a number. */
const PASSWORD = "5e30aabbccddeeff00112233445566778899aabbccddeeff0011223344556677";
/** Where each of the two files has it. */
const COMPOSE_PASSWORD = "${NATS_PASSWORD:?}";
const KUBERNETES_PASSWORD = "$(NATS_PASSWORD)";
/** The routes between the servers, with the password. */
const ROUTES = servers.map(([name]) =>
  `nats://wyvern:${PASSWORD}@${name}:${port("port", "cluster")}`
);

/** The settings of a node, from its variables. Each of these must be a setting's. */
function settingsOf(own: ReadonlyMap<string, string>): Settings {
  const asked = new Set<string>();
  const variables = new Map([...imageVariables, ...own]);
  const settings = parseSettings([], Object.keys(GAMES), {
    readVariable(name) {
      asked.add(name);
      return variables.get(name);
    },
  });
  assert(settings !== "help");
  assertEquals(
    [...variables.keys()].filter((name) => !asked.has(name)),
    [],
    "variables that are no settings",
  );
  return settings;
}

function port(name: "port" | "http", section = ""): number {
  const text = section === "" ? natsConf : natsConf.split(`\n${section} {`)[1]!;
  return Number(text.match(new RegExp(`^ *${name}: (?:[\\d.]+:)?(\\d+)$`, "m"))![1]);
}

/** Checks nodes that share matches: the servers they name, and an address of each alone. */
function checkNodes(all: readonly Settings[]): void {
  const urls = all.map((settings) => settings["node-url"]!);
  assertEquals([all.length, new Set(urls).size], [NODES, NODES]);
  for (const settings of all) {
    const [first, ...others] = servers.map(([name]) => `${name}:${port("port")}`);
    const addresses = [
      `nats://wyvern:${PASSWORD}@${first}`,
      ...others.map((each) => `nats://${each}`),
    ];
    assertEquals(settings.cluster, addresses);
    assert(settings.public && settings.data !== "off");
    assertEquals(settings["allow-host"], [new URL(settings["node-url"]!).hostname]);
    assertEquals(settings.port, 8080);
  }
}

Deno.test("compose.yaml: its nodes have settings that fit together, an address each, and the same servers (SPEC 14.1)", () => {
  const all = nodes.map(([, { environment }]) => {
    const variables = Object.entries(environment!);
    return settingsOf(
      new Map(
        variables.map(([name, value]) => [name, value.replaceAll(COMPOSE_PASSWORD, PASSWORD)]),
      ),
    );
  });
  checkNodes(all);
  const published = nodes.flatMap(([, { ports }]) => ports!);
  const host = published.map((each) => each.split(":")[1]);
  assertEquals(new Set(host).size, 2 * NODES, "each port once");
  for (const each of published) assertMatch(each, /^127\.0\.0\.1:\d{4}:(8080|9090)$/);
  const seconds = Number(nodes[0]![1].stop_grace_period.replace(/s$/, ""));
  assertGreater(seconds, all[0]!.grace + BEYOND_GRACE_SECONDS);
});

Deno.test("compose.yaml: images have versions, volumes and secrets are there, and no player reaches the log", () => {
  assertEquals([nodes.length, servers.length], [NODES, SERVERS]);
  assertEquals(compose.networks["log"]?.internal, true);

  for (const [name, service] of [...nodes, ...servers]) {
    assertMatch(service.image, IMAGE);
    const own = service.volumes.filter((volume) => !volume.startsWith("./")).map((volume) =>
      volume.split(":")[0]!
    );
    const isNode = name.startsWith("node-");
    assertEquals(
      own,
      [name, ...isNode ? ["archive"] : []],
      "a disk of its own, and nodes have an archive together",
    );
    if (isNode) {
      assert(service.volumes.includes(`archive:${service.environment!["WYVERN_ARCHIVE"]}`));
    }
    for (const volume of own) assert(volume in compose.volumes);
    for (const network of service.networks) assert(network in compose.networks);
  }

  for (const [, { networks, ports, command, environment }] of servers) {
    assertEquals([networks, ports, command?.[2]], [["log"], undefined, "--name"]);
    const { NATS_HOST, NATS_PASSWORD, NATS_ROUTES, ...others } = environment!;
    assertEquals([NATS_HOST, NATS_PASSWORD, others], ["0.0.0.0", COMPOSE_PASSWORD, {}]);
    assertEquals(JSON.parse(NATS_ROUTES!.replaceAll(COMPOSE_PASSWORD, PASSWORD)), ROUTES);
  }

  for (const [, { secrets, depends_on }] of nodes) {
    assertEquals(secrets, Object.keys(compose.secrets));
    assertEquals(Object.keys(depends_on!), servers.map(([name]) => name));
  }

  // The image reads its secrets where Docker puts them.
  for (const variable of ["WYVERN_SECRET_FILE", "WYVERN_OPS_TOKEN_FILE"]) {
    assert(imageVariables.get(variable)!.replace("/run/secrets/", "") in compose.secrets, variable);
  }
});

Deno.test("nats.conf: it keeps records on the disk first, has room for all streams, and names no address and no password", () => {
  assert(!natsConf.includes("0.0.0.0:"));
  assertEquals(
    natsConf.match(/^ *(host|authorization|routes): ?.*|^ *authorization \{.*\}$/gm)?.map((line) =>
      line.trim()
    ),
    [
      "host: $NATS_HOST",
      "authorization { user: wyvern, password: $NATS_PASSWORD }",
      "host: $NATS_HOST",
      "authorization { user: wyvern, password: $NATS_PASSWORD }",
      "routes: $NATS_ROUTES",
    ],
  );
  assertMatch(natsConf, /^ {2}sync_interval: always$/m);
  assertEquals(
    servers.map(([name, { command }]) => [name, command?.at(-1)]),
    servers.map(([name]) => [name, name]),
  );
  assertNotEquals(port("http"), port("port"));
});

natsTest(
  "nats.conf: nats-server itself takes it, and names the variable that is missing",
  async () => {
    const folder = await Deno.makeTempDir();
    const program = (await newestServer())!;

    try {
      const check = async (text: string, variables: Record<string, string>) => {
        await Deno.writeTextFile(`${folder}/nats.conf`, text.replace("/data", `${folder}/data`));
        const args = ["-t", "--config", `${folder}/nats.conf`, "--name", "nats-1"];
        const run = await new Deno.Command(program, { args, env: variables, clearEnv: true })
          .output();
        return { code: run.code, text: new TextDecoder().decode(run.stderr) };
      };
      const variables = {
        NATS_HOST: "127.0.0.1",
        NATS_PASSWORD: PASSWORD,
        NATS_ROUTES: JSON.stringify(ROUTES),
      };
      assertEquals((await check(natsConf, variables)).code, 0);
      const misspelt = natsConf.replace("sync_interval", "sync_intervall");
      assertEquals((await check(misspelt, variables)).code, 1, "an unknown word is refused");
      for (const name of Object.keys(variables)) {
        const others = Object.entries(variables).filter(([each]) => each !== name);
        const { code, text } = await check(natsConf, Object.fromEntries(others));
        assertEquals([code, text.includes(`'${name}'`), text.trim().split("\n").length], [
          1,
          true,
          1,
        ], text);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

natsTest(
  "nats.conf: servers with the password find each other, and neither a server nor a client without it gets in",
  async () => {
    const folder = await Deno.makeTempDir();
    const program = (await newestServer())!;
    const ports = Array.from(
      { length: 3 },
      () => ({ client: freePort(), route: freePort(), monitor: freePort() }),
    );
    const start = async (i: number, password: string) => {
      const { client, route, monitor } = ports[i]!;
      const path = `${folder}/${i}.conf`;
      const text = natsConf.replace("/data", `${folder}/data-${i}`).replace(
        /^port: 4222$/m,
        `port: ${client}`,
      )
        .replace(/^ {2}port: 6222$/m, `  port: ${route}`).replace(
          "127.0.0.1:8222",
          `127.0.0.1:${monitor}`,
        );
      await Deno.writeTextFile(path, text);
      const routes = ports.map((each) => `nats://wyvern:${password}@127.0.0.1:${each.route}`);
      return new Deno.Command(program, {
        args: ["--config", path, "--name", `nats-${i}`],
        env: {
          NATS_HOST: "127.0.0.1",
          NATS_PASSWORD: password,
          NATS_ROUTES: JSON.stringify(routes),
        },
        clearEnv: true,
        stdout: "null",
        stderr: "null",
      }).spawn();
    };
    const running = [await start(0, PASSWORD), await start(1, PASSWORD), await start(2, "another")];

    try {
      const namesAt = async (i: number) => {
        const answer = await fetch(`http://127.0.0.1:${ports[i]!.monitor}/routez`).catch(() =>
          undefined
        );
        const { routes = [] } = answer === undefined
          ? {}
          : await answer.json() as { routes?: { remote_name: string }[] };
        return [...new Set(routes.map(({ remote_name }) => remote_name))];
      };
      // A stranger's server tries four times a second, so it has tried when the others are there.
      await until(
        async () => (await namesAt(0)).includes("nats-1") && (await namesAt(1)).includes("nats-0"),
        "the routes",
      );
      await until(
        async () => (await fetch(`http://127.0.0.1:${ports[2]!.monitor}/routez`)).ok,
        "the third server",
      );
      assertEquals([await namesAt(0), await namesAt(1), await namesAt(2)], [
        ["nats-1"],
        ["nats-0"],
        [],
      ]);
      const address = (credentials: string) => `nats://${credentials}127.0.0.1:${ports[0]!.client}`;
      await (await NatsClient.open([address(`wyvern:${PASSWORD}@`)])).close();
      for (const wrong of [address(""), address("wyvern:another@")]) {
        await assertRejects(() => NatsClient.open([wrong]), UsageError, "Authorization Violation");
      }
    } finally {
      for (const child of running) child.kill("SIGKILL");
      await Promise.all(running.map(({ status }) => status));
      await Deno.remove(folder, { recursive: true });
    }
  },
);

Deno.test("kubernetes.yaml: servers and nodes have the password from one secret, before the variables that name it", () => {
  for (const app of ["nats", "wyvern"]) {
    const { env }: Container = named("StatefulSet", app).spec.template.spec.containers[0];
    const at = env.findIndex(({ name }) => name === "NATS_PASSWORD");
    const naming = env.findIndex(({ value }) => {
      return value?.includes(KUBERNETES_PASSWORD);
    });
    assertEquals(env[at]?.valueFrom?.secretKeyRef, { name: "nats", key: "password" });
    assertGreater(naming, at, app);
    if (app === "nats") {
      assertEquals(
        JSON.parse(env[naming]!.value!.replaceAll(KUBERNETES_PASSWORD, PASSWORD)),
        ROUTES,
      );
    }
  }
});

function named(kind: string, name: string): Resource {
  const found = resources.find((each) => each.kind === kind && each.metadata.name === name);
  assert(found !== undefined, `${kind} ${name}`);
  return found;
}

Deno.test("kubernetes.yaml: its nodes have settings that fit together, an address each, and the same servers (SPEC 14.1)", () => {
  const { spec } = named("StatefulSet", "wyvern").spec.template;
  const container: Container = spec.containers[0];
  const pods = Array.from({ length: NODES }, (_, i) => `wyvern-${i}`);
  const all = pods.map((pod) =>
    settingsOf(
      new Map(
        container.env.filter(({ name }) => name.startsWith("WYVERN_")).map(({ name, value }) => [
          name,
          value!.replaceAll("$(POD_NAME)", pod).replaceAll(KUBERNETES_PASSWORD, PASSWORD),
        ]),
      ),
    )
  );
  checkNodes(all);
  assertGreater(spec.terminationGracePeriodSeconds, all[0]!.grace + BEYOND_GRACE_SECONDS);
  const { readinessProbe, livenessProbe, ports } = container;
  assertEquals([readinessProbe.httpGet, livenessProbe!.httpGet], [
    { path: "/readyz", port: 8080 },
    { path: "/healthz", port: 8080 },
  ]);
  assertEquals(ports.map(({ containerPort }) => containerPort), [8080, all[0]!["ops-port"]]);
  const hosts = named("Ingress", "wyvern").spec.rules.map(({ host }: { host: string }) =>
    `https://${host}`
  );
  assertEquals(hosts, [...all[0]!.origin, ...all.map((settings) => settings["node-url"])]);
});

Deno.test("kubernetes.yaml: services, volumes, labels and images lead somewhere, and the servers are those of compose.yaml", () => {
  for (const app of ["nats", "wyvern"]) {
    const { spec } = named("StatefulSet", app);
    const container: Container = spec.template.spec.containers[0];
    assertEquals([spec.replicas, spec.template.metadata.labels, spec.selector.matchLabels], [3, {
      app,
    }, { app }]);
    assertMatch(container.image, IMAGE);
    const volumes = [
      ...spec.template.spec.volumes,
      ...spec.volumeClaimTemplates.map(({ metadata }: Resource) => metadata),
    ];
    const known = volumes.map(({ name }: { name: string }) => name);
    for (const { name } of container.volumeMounts) assert(known.includes(name), name);
    named("Service", spec.serviceName);
    named("PodDisruptionBudget", app);
  }

  assertEquals(
    named("StatefulSet", "nats").spec.template.spec.containers[0].image,
    servers[0]![1].image,
  );
  const ports = resources.filter(({ kind }) => kind === "StatefulSet").flatMap(({ spec }) => (
    spec.template.spec.containers[0].ports.map(({ containerPort }: { containerPort: number }) =>
      containerPort
    )
  ));
  const services = resources.filter(({ kind }) => kind === "Service");

  for (const { metadata: { name }, spec } of services) {
    assert(["nats", "wyvern"].includes(spec.selector.app), name);
    for (const { port } of spec.ports) assert(ports.includes(port), `${name} ${port}`);
    const index = /-(\d)$/.exec(name)?.[1];
    assertEquals(spec.selector["apps.kubernetes.io/pod-index"], index, name);
  }

  for (const [name] of servers) named("Service", name);
  const rules = named("Ingress", "wyvern").spec.rules;
  for (const { http } of rules) named("Service", http.paths[0].backend.service.name);
});

Deno.test("docs/runbook.md: the settings, files and metrics that it names are there", async () => {
  const runbook = await Deno.readTextFile(new URL("../runbook.md", FOLDER));
  const hosting = await Deno.readTextFile(new URL("../hosting.md", FOLDER));
  const flags = [...usageFor(["dragons"]).matchAll(/^ +--([\w-]+)/gm)].map(([, flag]) => flag!);
  const variables = flags.map((flag) => `WYVERN_${flag.toUpperCase().replaceAll("-", "_")}`);
  const mentioned = [...runbook.matchAll(/\bWYVERN_\w+/g)].map(([name]) => name);
  assertGreater(mentioned.length, 1);
  assertEquals(mentioned.filter((name) => !variables.includes(name)), []);
  for (const [, flag] of runbook.matchAll(/`--([\w-]+)`/g)) assert(flags.includes(flag!), flag);
  for (const [metric] of runbook.matchAll(/\bwyvern_[a-z_]*[a-z]\b(?!-)/g)) {
    assert(hosting.includes(`\`${metric}`) || /^wyvern_n/.test(metric), metric);
  }
  for (const [, service] of runbook.matchAll(/\bdc [^`]*?\b((?:node|nats)-\d)\b/g)) {
    assert(service! in compose.services);
  }
});

Deno.test("docs/hosting: the command for several machines has all that a node needs (SPEC 17.101)", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/hosting.md", import.meta.url));
  const [, command = ""] = text.match(
    /^deno task serve ((?:.*\\\n)*.*--cluster(?:.*\\\n)*.*)$/m,
  )!;
  const settings = parseSettings(
    command.replaceAll("\\\n", "").trim().split(/\s+/),
    Object.keys(GAMES),
    {
      readVariable: () => undefined,
    },
  );
  assert(settings !== "help");
  assertEquals(settings.cluster.length, SERVERS);
  assertNotEquals(settings["secret-file"], undefined);

  // Players reach it from elsewhere, and under an address of its own.
  assertEquals(settings.host, "0.0.0.0");
  assert(settings.origin.includes(settings["node-url"]!));
  assertEquals(settings.origin.length, NODES);
});
