/**
 * The nodes that share the matches. Each says five times a second that it lives, where players reach it and how busy it
 * is, and all hear it through the log's servers. Silence counts only while a node hears itself: else its own line is cut.
 */
import * as z from "zod";
import type { Clock } from "../../shared/netcode/link.ts";
import { hashOf } from "../../shared/random.ts";

/** How often a node says that it lives, ms. */
export const BEAT_MS = 200;
/** A node that was silent for so long, ms, is gone, and others take its matches. A machine may stall for half a second. */
export const SILENT_MS_MAX = 1_000;
/** A node that has missed a beat, ms: it may be gone. */
export const MISSED_MS = 320;
/** Nodes of one cluster. */
const NODES_MAX = 64;
/** A node that was silent for so long, ms, is forgotten. */
const FORGOTTEN_MS = 60_000;

const BEAT = z.object({
  node: z.string().regex(/^[0-9a-f]{16}$/),
  url: z.url({ protocol: /^https?$/ }).max(256),
  /** It stops: it takes no further match. */
  leaves: z.boolean(),
  matches: z.int().min(0),
  load: z.number(),
});

/** The message of a node about itself. */
export type Beat = z.output<typeof BEAT>;

/** The line that carries the beats. */
export interface BeatLine {
  readonly isConnected: boolean;
  publish(subject: string, text: string): void;
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => void): void;
}

interface HeardNode extends Beat {
  readonly heardMs: number;
}

export class Nodes {
  readonly #options: { readonly self: () => Beat; readonly line: BeatLine; readonly clock: Clock };
  readonly #heard = new Map<string, HeardNode>();
  readonly #sinceMs: number;
  readonly #waiting = new Set<() => void>();

  /** @param options.self what this node says now */
  constructor(options: { readonly self: () => Beat; readonly line: BeatLine; readonly clock: Clock }) {
    this.#options = options;
    this.#sinceMs = options.clock.now();
    options.line.subscribe("beat.*", (bytes) => this.#hear(bytes));
  }

  /** Says that this node lives. Call it every `BEAT_MS`. */
  beat(): void {
    const beat = this.#options.self();
    this.#options.line.publish(`beat.${beat.node}`, JSON.stringify(beat));
  }

  /** Whether this node hears the servers, so that the silence of another one means something. */
  get hears(): boolean {
    const own = this.#heard.get(this.#options.self().node), nowMs = this.#options.clock.now();
    return this.#options.line.isConnected && own !== undefined && nowMs - own.heardMs < MISSED_MS;
  }

  /** Nodes that live, this one among them. */
  get living(): readonly Beat[] {
    const nowMs = this.#options.clock.now();
    return [...this.#heard.values()].filter(({ heardMs }) => nowMs - heardMs < SILENT_MS_MAX);
  }

  /** How long a node has been silent, ms. One that was never heard is silent since this node listens. */
  silentMs(node: string): number {
    return this.#options.clock.now() - (this.#heard.get(node)?.heardMs ?? this.#sinceMs);
  }

  /** A node by its name, as it was heard last. */
  get(node: string): Beat | undefined {
    return this.#heard.get(node);
  }

  /** Nodes that went silent for so long that others take their matches. */
  gone(): string[] {
    const nowMs = this.#options.clock.now(), gone: string[] = [];
    for (const [node, { heardMs }] of this.#heard) {
      if (nowMs - heardMs > FORGOTTEN_MS) this.#heard.delete(node);
      else if (nowMs - heardMs >= SILENT_MS_MAX) gone.push(node);
    }
    return gone;
  }

  /** The nodes that may take a match, the first one first. Nodes that stop are not among them. */
  rankedFor(match: string): readonly Beat[] {
    const candidates = this.living.filter(({ leaves }) => !leaves);
    return candidates.map((beat) => ({ beat, weight: weightOf(match, beat.node) }))
      .sort((a, b) => b.weight - a.weight || (a.beat.node < b.beat.node ? -1 : 1)).map(({ beat }) => beat);
  }

  /** @returns when the next beat of any node is heard */
  nextBeat(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #hear(bytes: Uint8Array): void {
    const beat = beatOf(bytes);
    if (beat === undefined || (this.#heard.size >= NODES_MAX && !this.#heard.has(beat.node))) return;
    this.#heard.set(beat.node, { ...beat, heardMs: this.#options.clock.now() });
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

function beatOf(bytes: Uint8Array): Beat | undefined {
  try {
    return BEAT.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** Rendezvous hashing: each match has its own order of nodes, so those of a dead node are spread over all others. */
function weightOf(match: string, node: string): number {
  let weight = 0;
  for (const character of `${match} ${node}`) weight = hashOf(weight, character.codePointAt(0)!);
  return weight;
}
