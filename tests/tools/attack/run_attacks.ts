/**
 * Runs attacks one after the other. Those that need equal servers share one, as long as it stands.
 */
import { Arena, type ArenaOptions } from "./arena.ts";
import { type Attack, type Feeling, wait } from "./attack.ts";
import { feelingsOf, type Felt, Watch } from "./felt.ts";
import type { Target } from "./target.ts";

/** How long an attack, its honest path or a look at the players may take. */
const SECONDS_MAX = 90;
/**
 * On a busy machine other work makes ticks and joins late, so these are measured once more before
 * they count.
 */
const TIMED: readonly Feeling[] = ["droppedTicks", "latenessMs", "newcomerMs"];

/** A room waits a minute for players who were cut off. After that, and a while more, it is gone. */
const EMPTIED_MS_MAX = 75_000;

export interface AttackResult {
  readonly name: string;
  readonly passed: boolean;
  /** Null if the server did not start, or was gone. */
  readonly felt: Felt | null;
  /** What the honest client got, what the attacker got, and what was wrong. */
  readonly detail: string;
}

export interface RunOptions extends ArenaOptions {
  /** Called before each attack. */
  readonly onAttack?: (attack: Attack) => void;
  readonly onResult?: (result: AttackResult) => void;
}

/** @returns the results in the order of the run, which groups attacks with equal servers */
export async function runAttacks(
  attacks: readonly Attack[],
  options: RunOptions,
): Promise<AttackResult[]> {
  const results: AttackResult[] = [];
  for (const group of Map.groupBy(attacks, ({ server = {} }) => JSON.stringify(server)).values()) {
    let arena: Arena | undefined;
    for (const attack of group) {
      options.onAttack?.(attack);
      let result: AttackResult;
      try {
        arena ??= await Arena.open(attack.server ?? {}, options);
        result = await runTwice(attack, arena, options);
      } catch (error) {
        result = {
          name: attack.name,
          passed: false,
          felt: null,
          detail: `no server: ${oneLine(error)}`,
        };
      }
      results.push(result);
      options.onResult?.(result);
      if (!result.passed) {
        // What a failed attack left behind must not count for the next one.
        await arena?.[Symbol.asyncDispose]();
        arena = undefined;
      }
    }
    await arena?.[Symbol.asyncDispose]();
  }

  return results;
}

async function runTwice(
  given: Attack,
  arena: Arena,
  { ticks, isUntimed = false }: RunOptions,
): Promise<AttackResult> {
  const attack = isUntimed ? { ...given, tolerates: [...given.tolerates ?? [], ...TIMED] } : given;
  const roomsBefore = await roomsOf(arena.target);
  const first = await runOnce(attack, arena, { ticks });
  const { feelings } = first;
  if (
    first.fault || feelings.length === 0 || feelings.some((feeling) => !TIMED.includes(feeling))
  ) {
    return resultOf(attack, first);
  }

  // Rooms still wait for the first run's players, and in a full house newcomers would pay for them.
  const endMs = performance.now() + EMPTIED_MS_MAX;
  while (await roomsOf(arena.target) > roomsBefore && performance.now() < endMs) await wait(500);
  const second = await runOnce(attack, arena, { ticks });
  const { droppedTicks, latenessMs, newcomerMs } = first.felt!;
  return resultOf(attack, {
    ...second,
    detail:
      `${second.detail}; measured twice, at first: lateness ${latenessMs} ms, ${droppedTicks} ticks dropped, newcomer ${newcomerMs} ms`,
  });
}

async function roomsOf(target: Target): Promise<number> {
  return (await target.figures()).of("wyvern_rooms");
}

/** How an attack went once. */
interface Run {
  readonly felt: Felt | undefined;
  readonly feelings: readonly Feeling[];
  readonly detail: string;
  /** Whether the defence did not hold, or the server was gone. */
  readonly fault: boolean;
}

function resultOf({ name }: Attack, { felt, feelings, detail, fault }: Run): AttackResult {
  const words = feelings.map((feeling) => `${feeling} ${felt![feeling]}`).join(", ");
  return {
    name,
    passed: !fault && words === "",
    felt: felt ?? null,
    detail: words === "" ? detail : `${detail}; felt: ${words}`,
  };
}

async function runOnce(
  attack: Attack,
  { target, quietLatenessMs }: Arena,
  { ticks }: { ticks: number },
): Promise<Run> {
  const parts: string[] = [];
  let felt: Felt | undefined;
  let fault = false;
  let watch: Watch | undefined;
  const step = async (name: string, action: () => Promise<string>) => {
    if (fault) return;
    try {
      parts.push(`${name}: ${await inTime(action(), target)}`);
    } catch (error) {
      fault = true;
      parts.push(`${name} FAILED: ${oneLine(error)}`);
    }
    target.release();
  };
  await step("honest", () => attack.honest(target));

  try {
    const newcomers = !attack.tolerates?.includes("newcomerMs");
    if (!fault) {
      watch = await inTime(Watch.start(target, { quietLatenessMs, ticks, newcomers }), target);
    }
    await step("attack", () => attack.commit(target));
    felt = watch && await inTime(watch.end(), target);
  } catch (error) {
    fault = true;
    parts.push(
      target.server.hasEnded ? "the server has ended" : `the server is gone: ${oneLine(error)}`,
    );
  }

  return {
    felt,
    fault,
    feelings: felt === undefined ? [] : feelingsOf(felt, attack.tolerates),
    detail: parts.join("; "),
  };
}

/** @throws Error if an action takes too long; then its connections end */
async function inTime<Value>(action: Promise<Value>, target: Target): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`no end within ${SECONDS_MAX} s`));
    target.release();
  }, SECONDS_MAX * 1000);
  try {
    return await Promise.race([action, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, " ").trim();
}
