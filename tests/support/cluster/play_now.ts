/** Three real nodes in two regions, and players who press "Play now" at them. */
import { NatsServers } from "../nats/nats_servers.ts";
import { ClusterNode } from "./cluster_node.ts";

/** A wait that takes longer has failed, ms. */
const PATIENCE_MS = 30_000;

/** A machine that is busy with other tests makes no node full. */
export const PATIENT = ["--tick-load", "100"] as const;

export interface PlayNowNodes extends AsyncDisposable {
  readonly all: readonly ClusterNode[];
}

/** @param flags of each node @returns nodes that have heard each other and each other's rooms */
export async function startNodes(...flags: readonly (readonly string[])[]): Promise<PlayNowNodes> {
  await using started = new AsyncDisposableStack();
  const servers = started.use(await NatsServers.start());
  const ports = servers.all.map(({ port }) => port);
  const all: ClusterNode[] = [];
  for (const own of flags) all.push(started.use(await ClusterNode.start(ports, { flags: own })));
  const isReady = async ({ url }: ClusterNode) => {
    const { regions } = await (await fetch(`${url}/api/play`)).json() as { regions: unknown[] };
    const answer = await (await fetch(url)).text();
    return regions.length === new Set(flags.map((own) => own[own.indexOf("--region") + 1])).size &&
      answer.includes(`<script type="module" src="matchmaking-`);
  };
  for (const node of all) await until(() => isReady(node), "the nodes have heard each other");
  const kept = started.move();
  return { all, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The answer to "Play now". */
export interface PlayedNow {
  readonly room?: string;
  readonly server?: string;
  readonly ticket?: string;
  readonly waitMs?: number;
}

/** Presses "Play now" at a node. */
export async function playNow(
  { url }: ClusterNode,
  body: Readonly<Record<string, unknown>>,
): Promise<PlayedNow> {
  const answer = await fetch(`${url}/api/play`, { method: "POST", body: JSON.stringify(body) });
  return await answer.json();
}

/**
 * The same as a page does it: it asks again while it is asked to wait. A node that has just started
 * knows no rooms yet.
 */
export async function seatedNow(
  node: ClusterNode,
  body: Readonly<Record<string, unknown>>,
): Promise<PlayedNow> {
  let played: PlayedNow = {};
  await until(
    async () => (played = await playNow(node, body)).waitMs === undefined,
    "there is a place",
  );
  return played;
}

/**
 * Waits for a condition, and looks four times a second: a node answers one address 8 times.
 * @throws Error if it takes too long
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  for (const endMs = performance.now() + PATIENCE_MS; !await condition();) {
    if (performance.now() > endMs) throw new Error(`not after ${PATIENCE_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
