/** What a session needs to be on the state stream, put together apart from it: who has none is never put on it, and need not load it. */
import { BodyModel, type BodyReader } from "../../shared/netcode/wire/body_codec.ts";
import type { Game, Simulation } from "../../shared/netcode/game.ts";
import type { Predictor } from "./predictor.ts";
import { BodyStreamClient } from "./body_stream_client.ts";

export interface BodyStreamSupport<Command> {
  readonly reader: BodyReader;
  /** @param options.start makes a simulation of the same match */
  open(options: { predictor: Predictor<Command>; start: () => Simulation<Command> }): BodyStreamClient<Command>;
}

/** Undefined for a game without a state stream. */
export function bodyStreamSupport<Command>({ bodies, tickHz }: Game<Command>): BodyStreamSupport<Command> | undefined {
  if (bodies === undefined) return undefined;
  const model = new BodyModel(bodies, tickHz);
  return { reader: model, open: (options) => new BodyStreamClient({ bodies, model, tickHz }, options) };
}
