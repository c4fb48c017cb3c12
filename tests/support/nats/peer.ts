/**
 * Somebody on the port of the log's servers: a node by its secret, or a stranger without one. It
 * keeps what it has sent, as whoever listens on that port has it.
 */
import { SignedLine } from "../../../server/cluster/signed_line.ts";
import type { NatsLine } from "../../../server/match_log/nats/nats_line.ts";
import { ServerSecret } from "../../../server/server_secret.ts";
import { clock, wallClock } from "../../../server/ticker.ts";

/** A message as it stands on the line. */
export interface SentMessage {
  readonly subject: string;
  readonly body: Uint8Array | string;
  readonly headers: Readonly<Record<string, string>>;
}

export class Peer {
  readonly name: string;
  readonly line: SignedLine;
  /** The newest last. */
  readonly sent: SentMessage[] = [];

  /**
   * @param options.name 16 hexadecimal digits
   * @param options.secret as `--secret-file` has it
   * @param options.aheadMs how much its clock is ahead
   */
  constructor(
    line: NatsLine,
    { name, secret, aheadMs = 0 }: { name: string; secret: string; aheadMs?: number },
  ) {
    this.name = name;
    const keep = (message: SentMessage) => void this.sent.push(message);
    this.line = new SignedLine({
      line: {
        get isConnected() {
          return line.isConnected;
        },
        publish(subject, body, headers = {}) {
          keep({ subject, body, headers });
          line.publish(subject, body, headers);
        },
        send(subject, body, options) {
          keep({ subject, body, headers: options.headers ?? {} });
          line.send(subject, body, options);
        },
        subscribe: (subject, onMessage) => line.subscribe(subject, onMessage),
      },
      node: name,
      secret: ServerSecret.ofText(secret),
      takesUnsigned: false,
      clock,
      wallClock: { now: () => wallClock.now() + aheadMs },
      log: () => {},
    });
  }
}
