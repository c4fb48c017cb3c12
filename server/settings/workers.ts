/**
 * Settings for a server on several cores: how many match processes it runs, and where players reach
 * them.
 */
import * as z from "zod";
import { type FlagValues, UsageError, wholeNumber } from "../../shared/flags.ts";

/** Machines that run matches do not have more cores. */
const WORKERS_MAX = 64;

/** One process for everything, or a gateway and this many match processes. */
const WORKERS = z.union([z.literal("auto"), wholeNumber(WORKERS_MAX, 1)]);

/** Stands for a process's number in `--worker-url`. */
const NUMBER_MARK = "*";

/** A path below the page's origin, or an origin, with the mark of a process's number. */
const WORKER_URL = z.string().regex(
  /^(\/[\w-]+)*\/[\w-]*\*[\w-]*$|^https?:\/\/[\w.-]*\*[\w.-]*(:\d{1,5})?$/,
)
  .refine((text) => text.startsWith("/") || isOrigin(text.replace(NUMBER_MARK, "1")));

/** Between the two nothing is asked; with less distance a machine would come and go all the time. */
const SCALE_SEATS = z.string().regex(/^[1-9]\d{0,6}-[1-9]\d{0,7}$/)
  .transform((text) => {
    const [low, high] = text.split("-").map(Number) as [number, number];
    return { low, high };
  })
  .refine(({ low, high }) => high >= 3 * low);

export const WORKER_FLAGS = {
  workers: {
    schema: WORKERS.default(1),
    about:
      "processes that run matches, beside one that has the pages; 1 is one process for all [1]",
    allowed: `a whole number 1 to ${WORKERS_MAX}, or auto: one for each core`,
  },
  "worker-url": {
    schema: WORKER_URL.optional(),
    about:
      "where players reach match process *, if a proxy leads there [the page's name, on ports behind its own]",
    allowed: "a path such as /match/*, or an origin such as https://match*.example.org",
  },
  "scale-hook": {
    schema: z.string().min(1).optional(),
    about:
      "with --cluster and several processes: a program that starts or drains machines by free seats [none]",
    allowed: "the path of a program",
  },
  "scale-seats": {
    schema: SCALE_SEATS.default({ low: 100, high: 400 }),
    about:
      "free seats of the region below which --scale-hook starts, and above which it drains [100-400]",
    allowed: "two whole numbers as LOW-HIGH, HIGH at least three times LOW",
  },
} as const;

type WorkerSettings = FlagValues<typeof WORKER_FLAGS> & {
  readonly "tls-cert"?: string | undefined;
  readonly origin: readonly string[];
  readonly "check-twin": boolean;
  readonly cluster: readonly string[];
  readonly "node-url"?: string | undefined;
  readonly "datagrams-port"?: number | undefined;
  readonly dev: boolean;
};

/** The number of match processes; 1 means one process that does everything. */
export function workersOf({ workers }: Pick<WorkerSettings, "workers">): number {
  return workers === "auto" ? Math.min(WORKERS_MAX, navigator.hardwareConcurrency) : workers;
}

/** Checks the settings that several processes allow. @throws UsageError */
export function checkWorkers(settings: WorkerSettings): void {
  const { "scale-hook": scaleHook, cluster } = settings;
  if (scaleHook !== undefined && (cluster.length === 0 || workersOf(settings) === 1)) {
    throw new UsageError(
      "--scale-hook needs --cluster, and --workers of two or more: only a gateway may start programs",
    );
  }
  if (workersOf(settings) === 1) return;

  // Settings that need a single process
  for (const name of ["dev", "check-twin"] as const) {
    if (settings[name]) {
      throw new UsageError(`--${name} looks into one process; it needs --workers 1`);
    }
  }
  if (settings.cluster.length > 0 && settings["worker-url"]?.startsWith("/")) {
    throw new UsageError(
      "--worker-url with --cluster has to be an origin, such as https://match*.example.org: pages of other machines open sockets there, too",
    );
  }
  if (settings["datagrams-port"] !== undefined) {
    throw new UsageError(
      "--datagrams-port needs --workers 1: each match process has UDP on the port of its sockets",
    );
  }

  // Where players reach the processes
  const pages = [...settings.origin, settings["node-url"] ?? ""];
  const isSecure = pages.some((origin) => origin.startsWith("https:"));
  if (isSecure && settings["tls-cert"] === undefined && settings["worker-url"] === undefined) {
    throw new UsageError(
      "--workers with an https page needs --worker-url, such as /match/*, or --tls-cert: the page cannot use plain ports",
    );
  }
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

/** A path or an origin of `--worker-url`, for one match process. */
export function workerUrlOf(pattern: string, worker: number): string {
  return pattern.replace(NUMBER_MARK, String(worker));
}

/** The host name of a process, besides the page's names; undefined if it has none of its own. */
export function ownHostName(pattern: string | undefined, worker: number): string | undefined {
  if (pattern === undefined || pattern.startsWith("/")) return undefined;
  return new URL(workerUrlOf(pattern, worker)).hostname;
}
