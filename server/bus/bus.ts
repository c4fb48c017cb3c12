/**
 * How processes that share the work speak to each other. There are two carriers: pipes between the
 * processes of one machine, and the log's servers between machines. What is built on a bus does not
 * know which one carries it.
 *
 *     publish    a message to all who listen on its subject; it may get lost
 *     request    a message to one process, which answers or does not
 *
 * The last word of a subject names the process that it comes from or goes to. Each message has a
 * version: the first word of its line on a pipe, and of its proof on the servers. Each carrier
 * bounds how many messages wait, how long one is, and how many requests are open.
 */
export interface Bus {
  /** Whether the carrier works, as far as this end knows. */
  readonly isConnected: boolean;
  /** Whether this end may be the one at fault, because it can believe no other (`NatsBus`). */
  readonly isInDoubt: boolean;

  /** Sends a message that needs no answer. Without a connection it is dropped. */
  publish(subject: string, text: string): void;

  /**
   * @param subject whose last word may be `*`, which stands for any word
   * @param onMessage called with each message that is believed; if it returns a text, that is sent
   * as the answer
   */
  subscribe(subject: string, onMessage: (bytes: Uint8Array) => Promise<string> | void): void;

  /** @returns the answer; undefined if no believable answer came in time */
  request(subject: string, text: string, timeoutMs: number): Promise<string | undefined>;
}
