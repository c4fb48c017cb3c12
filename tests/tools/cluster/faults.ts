/** A run's faults, and what each costs the players. */
import { Random } from "../../../shared/random.ts";
import { quantileOf } from "../bench/median.ts";
import { type ClusterWorld, wait } from "./cluster_world.ts";

/** How long the bots play before a fault, ms, so that it falls on any moment of a tick. */
const PLAYED_MS = { least: 400, greatest: 1_200 };
/**
 * How long a pause lasts, ms: longer than the silence after which others take over, and as long as
 * they take to do so.
 */
const PAUSE_MS = 3_000;
const OUTAGE_MS = 10_000;
const CUT_MS = 4_000;
/** How long the log may take after its leader's end, ms: 9 s, and more for a busy machine. */
const LEADER_MS = 12_000;
/**
 * How long before a fault the measurement of gaps begins, ms: a gap that players see even without
 * the fault may already be open.
 */
const BEFORE_MS = 200;

interface FaultRun {
  readonly world: ClusterWorld;
  readonly random: Random;
  readonly log: (line: string) => void;
}

async function playOn({ world, random }: FaultRun): Promise<void> {
  await wait(PLAYED_MS.least + random.below(PLAYED_MS.greatest - PLAYED_MS.least));
  await world.until(() => world.bots.every((bot) => bot.isPlaying), "all bots play");
}

/** Kills the owner again and again. */
export async function ownerKills(run: FaultRun, count: number) {
  const { world, log } = run;
  const againMs: number[] = [];

  for (let kill = 1; kill <= count; kill++) {
    await playOn(run);
    const owner = await world.owner();
    const killedMs = performance.now();
    const again = world.playingAgain(killedMs);
    await owner.stop("SIGKILL");
    const times = await again;
    againMs.push(...times);
    log(`owner killed, ${kill} of ${count}: back after ${Math.round(Math.max(...times))} ms`);
    await world.replace(owner);
  }

  return {
    count,
    playingAgainMsP50: Math.round(quantileOf(againMs, 0.5)),
    playingAgainMsP95: Math.round(quantileOf(againMs, 0.95)),
  };
}

/**
 * Kills the match process that has the match, and the whole machine of the next one, in turn. The
 * cluster's nodes have several processes each.
 */
export async function processKills(run: FaultRun, count: number) {
  const { world, log } = run;
  const againMs = { process: [] as number[], machine: [] as number[] };

  for (let kill = 1; kill <= count; kill++) {
    await playOn(run);
    const { node, process } = await world.owningProcess();
    const what = kill % 2 === 1 ? "process" : "machine";
    const again = world.playingAgain(performance.now());
    if (what === "process") node.signalProcess(process.worker, "SIGKILL");
    else await node.stop("SIGKILL");
    const times = await again;
    againMs[what].push(...times);
    log(`${what} killed, ${kill} of ${count}: back after ${Math.round(Math.max(...times))} ms`);
    if (what === "machine") await world.replace(node);
  }

  const p95 = (times: readonly number[]) =>
    times.length === 0 ? 0 : Math.round(quantileOf(times, 0.95));
  return {
    count,
    playingAgainMsP95: p95([...againMs.process, ...againMs.machine]),
    processAgainMsP95: p95(againMs.process),
    machineAgainMsP95: p95(againMs.machine),
  };
}

/** Pauses the owner until another node has taken its match, and lets it go on. */
export async function pauses(run: FaultRun, count: number) {
  const { world, log } = run;
  let fenced = 0;

  for (let pause = 1; pause <= count; pause++) {
    await playOn(run);
    const outputFrom = new Map(world.nodes.map((node) => [node, node.stdout.length]));
    const { node: owner, process } = await world.owningProcess();
    const again = world.playingAgain(performance.now());
    owner.signalProcess(process.worker, "SIGSTOP");
    await wait(PAUSE_MS);
    await world.until(
      async () => (await world.last()).message.node !== process.name,
      "another node has the match",
    );
    owner.signalProcess(process.worker, "SIGCONT");
    await again;
    const isFenced = () => owner.stdout.includes("match_fenced", outputFrom.get(owner));
    await world.until(isFenced, "the owner knows that it is fenced");
    fenced++;
    log(`owner paused, ${pause} of ${count}: fenced`);
  }

  return { count, fenced };
}

/** Kills the server that leads the match's stream. */
export async function leaderKills(run: FaultRun, count: number) {
  const { world, log } = run;
  const gapsMs: number[] = [];

  for (let kill = 1; kill <= count; kill++) {
    await playOn(run);
    const name = await world.leader();
    const before = await world.owner();
    const { sequence } = await world.last();
    const sinceMs = performance.now();
    await world.servers.named(name).stop();
    await wait(LEADER_MS / 2);
    await world.until(async () => (await world.last()).sequence > sequence + 1, "the log goes on");
    const gapMs = Math.max(...world.bots.map((bot) => bot.longestGapMs(sinceMs - BEFORE_MS)));
    gapsMs.push(gapMs);
    const isSame = (await world.owner()) === before;
    log(
      `leader killed, ${kill} of ${count}: a gap of ${Math.round(gapMs)} ms, ${
        isSame ? "same" : "another"
      } owner`,
    );
    await world.servers.startAll();
    await wait(1_000);
  }

  return { count, playersGapMsMax: Math.round(Math.max(...gapsMs)) };
}

/** Stops all servers for ten seconds. */
export async function outage(run: FaultRun) {
  const { world, log } = run;
  await playOn(run);
  const owner = await world.owner();
  const { sequence } = await world.last();
  const newest = world.newestTick;
  await world.servers.stopAll();
  await wait(OUTAGE_MS);
  const heldAt = world.newestTick;
  await world.servers.startAll();
  await world.until(async () => (await world.last()).sequence > sequence + 1, "the log goes on");
  await world.until(() => world.newestTick > heldAt, "the match goes on");
  const sameOwner = (await world.owner()) === owner;
  const ticksMeanwhile = heldAt - newest;
  log(
    `all servers away: ${ticksMeanwhile} ticks meanwhile, ${sameOwner ? "same" : "another"} owner`,
  );
  return { sameOwner, ticksMeanwhile };
}

/** Cuts the owner off from all servers, but not from its players. */
export async function partition(run: FaultRun) {
  const { world, log } = run;
  await playOn(run);
  const { node: owner } = await world.owningProcess();
  const names = owner.processes.map(({ name }) => name);
  const again = world.playingAgain(performance.now());
  owner.partition();
  await wait(CUT_MS / 2);
  const heldAt = world.newestTickOf(owner);
  await wait(CUT_MS / 2);
  const heldStill = world.newestTickOf(owner) === heldAt;
  await world.until(
    async () => !names.includes((await world.last()).message.node),
    "another node has the match",
  );
  owner.mend();
  await again;
  log(`owner cut off: ${heldStill ? "held still" : "played on"}`);
  return { heldStill };
}

/** Replaces all nodes one after another, as an operator deploys another version. */
export async function rolling(run: FaultRun) {
  const { world, log } = run;
  const gapsMs: number[] = [];
  let roundsEnded = 0;

  for (const node of [...world.nodes]) {
    await playOn(run);
    const isOwner = (await world.owner()) === node;
    const sinceMs = performance.now();
    const again = isOwner ? world.playingAgain(sinceMs) : Promise.resolve([]);
    const { sequence } = await world.last();
    await node.stop("SIGTERM");
    await again;
    await world.until(
      async () => (await world.last()).sequence > sequence + 5,
      "the match goes on",
    );
    if (isOwner) gapsMs.push(...world.bots.map((bot) => bot.longestGapMs(sinceMs - BEFORE_MS)));
    const messages = await world.messages();
    if (messages.some(({ message }) => message.kind === "end")) roundsEnded++;
    log(
      `node stopped${
        isOwner ? `: a gap of ${Math.round(Math.max(...gapsMs))} ms` : ", which had no match"
      }`,
    );
    await world.replace(node);
  }

  return { roundsEnded, gapMsP95: Math.round(quantileOf(gapsMs, 0.95)) };
}
