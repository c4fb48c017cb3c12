/**
 * Somebody on the port of the log's servers: a node by its secret, or a stranger without one. It
 * keeps what it has sent, as whoever listens on that port has it.
 */
import { NatsBus } from "../../../server/bus/nats_bus.ts";
import type { NatsClient } from "../../../server/match_log/nats/nats_client.ts";
import { ServerSecret } from "../../../server/ground/server_secret.ts";
import { clock, wallClock } from "../../../server/ground/ticker.ts";

/** A message as it stands on the line. */
export interface SentMessage {
  readonly subject: string;
  readonly body: Uint8Array | string;
  readonly headers: Readonly<Record<string, string>>;
}

export class Peer {
  readonly name: string;
  readonly bus: NatsBus;
  /** The newest last. */
  readonly sent: SentMessage[] = [];

  /**
   * @param options.name 16 hexadecimal digits
   * @param options.secret as `--secret-file` has it
   * @param options.aheadMs how much its clock is ahead
   */
  constructor(
    client: NatsClient,
    { name, secret, aheadMs = 0 }: { name: string; secret: string; aheadMs?: number },
  ) {
    this.name = name;
    const keep = (message: SentMessage) => void this.sent.push(message);
    this.bus = new NatsBus({
      client: {
        get isConnected() {
          return client.isConnected;
        },
        publish(subject, body, headers = {}) {
          keep({ subject, body, headers });
          client.publish(subject, body, headers);
        },
        send(subject, body, options) {
          keep({ subject, body, headers: options.headers ?? {} });
          client.send(subject, body, options);
        },
        subscribe: (subject, onMessage) => client.subscribe(subject, onMessage),
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
