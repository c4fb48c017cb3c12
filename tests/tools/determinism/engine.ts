/** The interface of all engines: one request after the other, until `close`. */
import type { Reply, Request } from "./runner.ts";

/** A started engine. */
export interface Engine {
  readonly name: EngineName;
  /** @throws Error if the run fails or takes too long */
  run<Asked extends Request>(request: Asked): Promise<Reply<Asked>>;
  /** Ends its processes and removes its files. */
  close(): Promise<void>;
}

export type EngineName =
  | "deno"
  | "bundle"
  | "node"
  | "chromium"
  | "firefox"
  | "jsc"
  | "deno-arm64";
