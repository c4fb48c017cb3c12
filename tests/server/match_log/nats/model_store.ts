/**
 * A model of the log's servers in virtual time, for one match: it takes a record with the expected
 * sequence and refuses any other. Answers are late, or are lost, or say that there is no leader, as
 * the test wants.
 */
import {
  decodeLogMessage,
  type LogMessage,
} from "../../../../server/match_log/nats/log_message.ts";
import type {
  Appender,
  LastOutcome,
  NewRecord,
} from "../../../../server/match_log/nats/record_store.ts";
import type { AppendOutcome } from "../../../../server/match_log/nats/stream_requests.ts";
import type { VirtualTime } from "../../../support/virtual_time.ts";

const ANSWER_MS = 3;
const SILENT_MS = 300;

export class ModelStore implements Appender {
  readonly #time: VirtualTime;
  readonly messages: { readonly sequence: number; readonly message: LogMessage }[] = [];
  /**
   * "well"; "no leader": nothing is taken, and that is answered; "silent": nothing arrives; "deaf":
   * records are taken, but no answer comes back.
   */
  state: "well" | "no leader" | "silent" | "deaf" = "well";
  #sequence = 0;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  /** The sequence of the newest record; 0 for none. */
  get newest(): number {
    return this.messages.at(-1)?.sequence ?? 0;
  }

  append(record: NewRecord, onOutcome: (outcome: AppendOutcome) => void): void {
    const outcome = this.#take(record);
    this.#answer(outcome, onOutcome);
  }

  last(subject: string, onOutcome: (outcome: LastOutcome) => void): void {
    const newest = this.messages.at(-1);
    this.#answer(
      this.state === "no leader" ? "no leader" : newest ? { subject, ...newest } : "none",
      onOutcome,
    );
  }

  #take({ bytes, expected }: NewRecord): AppendOutcome {
    if (this.state === "no leader") return "no leader";
    if (this.state === "silent") return "silence";
    if (expected !== this.newest) return "conflict";
    // Other matches have records of the same stream between.
    this.#sequence += 3;
    this.messages.push({ sequence: this.#sequence, message: decodeLogMessage(bytes.slice()) });
    return { sequence: this.#sequence };
  }

  #answer<Outcome>(
    outcome: Outcome | "silence",
    onOutcome: (outcome: Outcome | "silence") => void,
  ): void {
    const isSilent = this.state === "silent" || this.state === "deaf";
    this.#time.after(
      isSilent ? SILENT_MS : ANSWER_MS,
      () => onOutcome(isSilent ? "silence" : outcome),
    );
  }
}
