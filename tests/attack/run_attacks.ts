/**
 * Runs attacks one after the other. Those that need equal servers share one, as long as it stands.
 */
import { Arena, type ArenaOptions } from "./arena.ts";
import type { Attack, Feeling } from "./attack.ts";
import { feelingsOf, type Felt, Watch } from "./felt.ts";
import type { ServerSetup } from "./live_server.ts";
import type { Target } from "./target.ts";

/** How long an attack, its honest path or a look at the players may take. */
const SECONDS_MAX = 90;
/**
 * On a busy machine others make ticks and joins late. So these are measured once more before they
 * count.
 */
const TIMED: readonly Feeling[] = ["droppedTicks", "latenessMs", "newcomerMs"];

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

/** The server that a group of attacks shares. The first attack that needs it starts it. */
class SharedArena implements AsyncDisposable {
  readonly #setup: ServerSetup;
  readonly #options: ArenaOptions;
  #arena: Arena | undefined;

  constructor(setup: ServerSetup, options: ArenaOptions) {
    this.#setup = setup;
    this.#options = options;
  }

  /** @throws Error if the server does not start */
  async open(): Promise<Arena> {
    return this.#arena ??= await Arena.open(this.#setup, this.#options);
  }

  /**
   * Ends the server, so that what an attack left behind does not count against the next one. The
   * next `open` starts another server.
   */
  async close(): Promise<void> {
    const arena = this.#arena;
    this.#arena = undefined;
    await arena?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** @returns the results in the order of the run: attacks with equal servers stand together */
export async function runAttacks(
  attacks: readonly Attack[],
  options: RunOptions,
): Promise<AttackResult[]> {
  const results: AttackResult[] = [];
  for (const group of Map.groupBy(attacks, ({ server = {} }) => JSON.stringify(server)).values()) {
    await using shared = new SharedArena(group[0]!.server ?? {}, options);
    for (const attack of group) {
      options.onAttack?.(attack);
      let result: AttackResult;
      try {
        result = await runTwice(attack, shared, options);
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
      if (!result.passed) await shared.close();
    }
  }

  return results;
}

async function runTwice(
  given: Attack,
  shared: SharedArena,
  { ticks, isUntimed = false }: RunOptions,
): Promise<AttackResult> {
  const attack = isUntimed ? { ...given, tolerates: [...given.tolerates ?? [], ...TIMED] } : given;
  const first = await runOnce(attack, await shared.open(), { ticks });
  const { feelings } = first;
  if (
    first.fault || feelings.length === 0 || feelings.some((feeling) => !TIMED.includes(feeling))
  ) {
    return resultOf(attack, first);
  }

  // Measure again on a fresh server, because the first attack may have filled the rooms of this one.
  await shared.close();
  const second = await runOnce(attack, await shared.open(), { ticks });
  const { droppedTicks, latenessMs, newcomerMs } = first.felt!;
  return resultOf(attack, {
    ...second,
    detail:
      `${second.detail}; measured twice, at first: lateness ${latenessMs} ms, ${droppedTicks} ticks dropped, newcomer ${newcomerMs} ms`,
  });
}

/** One run of an attack. */
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
