/** What each engine offers, whichever it is: it runs one request after the other until it is closed. */
import type { RunReply, RunRequest } from "./runner.ts";

/** An engine that runs. */
export interface Engine {
  readonly name: EngineName;
  /** @throws Error where it fails, or takes too long */
  run(request: RunRequest): Promise<RunReply>;
  /** Nothing of it is left. */
  close(): Promise<void>;
}

export type EngineName = "deno" | "node" | "chromium" | "firefox";
