/**
 * The connection to the log's servers: requests and their answers, written directly on the NATS
 * client's core. The client's own JetStream takes 64 µs of this process for a record. This takes
 * 16, because all answers share one inbox and one timer.
 */
import {
  type ConnectionOptions,
  headers as newHeaders,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  wsconnect,
} from "@nats-io/nats-core";
import { UsageError } from "../../../shared/flags.ts";
import { messageOf } from "../../ground/log.ts";
import { credentialsOf, schemeOf, withoutCredentials } from "../../settings/server_address.ts";
import { isFencingVersion, VERSION_NEEDED } from "./server_version.ts";
import { connectByTcp } from "./tcp_transport.ts";

/** How long connecting to a server may take, ms. */
const CONNECT_MS_MAX = 2_000;
/** The wait before the next server is tried after a lost connection, ms. */
const RECONNECT_EVERY_MS = 50;
/** Pings find dead connections, ms, because a machine that vanishes does not close anything. */
const PING_EVERY_MS = 500;
const PINGS_UNANSWERED_MAX = 2;
/** How often timed-out requests are looked for, ms. */
const SWEEP_EVERY_MS = 25;
/** How many requests may be unanswered. Each match sends one at a time, and so does each join. */
const PENDING_MAX = 4_096;

/** The status of an answer that carries none: all is well, or the body tells what is wrong. */
const STATUS_OK = 0;

/** One answer to a request. */
export interface Answer {
  /**
   * 0 for a normal answer; 503 if no server does this work, 404 and 408 as in HTTP, 204 for the end
   * of a batch.
   */
  readonly status: number;
  readonly bytes: Uint8Array;
  /** @returns one of the answer's headers; empty if it is missing */
  header(name: string): string;
}

/**
 * Called with each answer, or with undefined if none came in time.
 * @returns "more" if further answers follow, each of which may take as long again; "ignored" for
 * one that neither counts nor prolongs the wait
 */
type OnAnswer = (answer: Answer | undefined) => "more" | "ignored" | void;

/** A message on a subject to which this end listens. */
export interface NatsMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** @returns one of the message's headers; empty if it is missing */
  header(name: string): string;
  /** Answers it, if its sender waits for an answer. */
  respond(body: string, headers: Headers): void;
}

/** By name. */
type Headers = Readonly<Record<string, string>>;

interface Pending {
  readonly onAnswer: OnAnswer;
  dueMs: number;
  readonly timeoutMs: number;
}

export interface SentRequest {
  readonly timeoutMs: number;
  readonly headers?: Headers;
  readonly onAnswer: OnAnswer;
}

/** What stores need of the client. */
export type NatsRequests = Pick<NatsClient, "send" | "request">;

export class NatsClient {
  readonly #connection: NatsConnection;
  readonly #inbox: string;
  readonly #pending = new Map<number, Pending>();
  readonly #sweepTimer: ReturnType<typeof setInterval>;
  #next = 1;
  #isConnected = true;

  /**
   * Connects to one of the servers, and checks the version of each that can be reached.
   * @param urls each as nats://host:port, or all as tls://, ws:// or wss://, possibly with
   * credentials
   * @throws UsageError if none answers or accepts the credentials, or if one of them is too old
   */
  static async open(urls: readonly string[]): Promise<NatsClient> {
    // Each server's version, over a connection of its own
    const options = {
      ...credentialsOf(urls),
      timeout: CONNECT_MS_MAX,
      reconnect: false,
      name: "wyvern, version",
    };
    const shown = urls.map(withoutCredentials);
    const readings = await Promise.all(shown.map(async (url) => {
      try {
        const connection = await connectTo([url], options);
        const version = connection.info?.version ?? "";
        await connection.close();
        return { url, version };
      } catch (error) {
        return { url, error: messageOf(error) };
      }
    }));

    for (const { url, version } of readings) {
      if (version === undefined || isFencingVersion(version)) continue;
      throw new UsageError(
        `--cluster ${url} is nats-server ${version}, which can lose who owns a match; ${VERSION_NEEDED} or later is needed`,
      );
    }

    if (readings.every(({ version }) => version === undefined)) {
      throw new UsageError(`--cluster ${shown.join(",")} does not answer: ${readings[0]!.error}`);
    }
    return await NatsClient.openUnchecked(urls);
  }

  /** The same without checking versions, for a proof of why they matter. */
  static async openUnchecked(urls: readonly string[]): Promise<NatsClient> {
    return new NatsClient(
      await connectTo(urls.map(withoutCredentials), {
        ...credentialsOf(urls),
        timeout: CONNECT_MS_MAX,
        name: "wyvern",
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_EVERY_MS,
        reconnectJitter: RECONNECT_EVERY_MS,
        reconnectJitterTLS: RECONNECT_EVERY_MS,
        waitOnFirstConnect: false,
        // Operators change a password on one server after the other.
        ignoreAuthErrorAbort: true,
        // The operator has named the servers. The names by which they know each other may lead
        // nowhere from here.
        ignoreClusterUpdates: true,
        pingInterval: PING_EVERY_MS,
        maxPingOut: PINGS_UNANSWERED_MAX,
      }),
    );
  }

  private constructor(connection: NatsConnection) {
    this.#connection = connection;
    this.#inbox = `_INBOX.${crypto.randomUUID().replaceAll("-", "")}`;
    connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => this.#onAnswer(error, message),
    });
    this.#sweepTimer = setInterval(() => this.#sweep(), SWEEP_EVERY_MS);
    void this.#watch();
  }

  /** Whether a server is connected, as far as this end knows. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Sends a request. Without a connection it counts as unanswered once its time is over. */
  send(
    subject: string,
    body: Uint8Array | string,
    { timeoutMs, headers, onAnswer }: SentRequest,
  ): void {
    const id = this.#next++;
    if (this.#pending.size >= PENDING_MAX) return void queueMicrotask(() => onAnswer(undefined));
    this.#pending.set(id, { onAnswer, timeoutMs, dueMs: performance.now() + timeoutMs });

    // Not sent, because the client would queue it for the next connection, behind all others.
    if (!this.#isConnected) return;
    const reply = `${this.#inbox}.${id}`;
    this.#connection.publish(subject, body, {
      reply,
      ...headers && { headers: headersOf(headers) },
    });
  }

  /** @returns the answer; undefined if none came in time */
  request(
    subject: string,
    body: Uint8Array | string,
    timeoutMs: number,
  ): Promise<Answer | undefined> {
    return new Promise((resolve) =>
      this.send(subject, body, { timeoutMs, onAnswer: (answer) => resolve(answer) })
    );
  }

  /** Sends a message that needs no answer. Without a connection it is dropped. */
  publish(subject: string, body: Uint8Array | string, headers?: Headers): void {
    if (!this.#isConnected) return;
    this.#connection.publish(subject, body, { ...headers && { headers: headersOf(headers) } });
  }

  /** Calls back with each message on a subject. */
  subscribe(subject: string, onMessage: (message: NatsMessage) => void): void {
    this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error !== null) return;
        onMessage({
          subject: message.subject,
          bytes: message.data,
          header: (name) => message.headers?.get(name) ?? "",
          respond: (body, headers) => void message.respond(body, { headers: headersOf(headers) }),
        });
      },
    });
  }

  /** Closes the connection; requests under way stay unanswered. */
  async close(): Promise<void> {
    clearInterval(this.#sweepTimer);
    this.#isConnected = false;
    await this.#connection.close();
  }

  #onAnswer(error: Error | null, { subject, data, headers }: Msg): void {
    if (error !== null) return;
    const id = Number(subject.slice(this.#inbox.length + 1));
    const pending = this.#pending.get(id);
    if (pending === undefined) return;

    const header = (name: string) => headers?.get(name) ?? "";
    const verdict = pending.onAnswer({ status: headers?.code ?? STATUS_OK, bytes: data, header });
    if (verdict === undefined) this.#pending.delete(id);
    else if (verdict === "more") pending.dueMs = performance.now() + pending.timeoutMs;
  }

  #sweep(): void {
    const nowMs = performance.now();
    for (const [id, { dueMs, onAnswer }] of this.#pending) {
      if (nowMs < dueMs) continue;
      this.#pending.delete(id);
      onAnswer(undefined);
    }
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === "disconnect" || type === "reconnecting") this.#isConnected = false;
      else if (type === "reconnect") this.#isConnected = true;
    }
  }
}

/**
 * Connects to one of several servers by the scheme that they share. With TLS the server's name must
 * be in a certificate that Deno trusts, so a server without TLS does not get the credentials.
 * @param urls without credentials
 */
function connectTo(urls: readonly string[], own: ConnectionOptions): Promise<NatsConnection> {
  const options = { ...own, servers: [...urls] };
  const scheme = schemeOf(urls[0]!);
  if (scheme === "ws" || scheme === "wss") return wsconnect(options);
  return connectByTcp(scheme === "tls" ? { ...options, tls: {} } : options);
}

function headersOf(values: Headers): MsgHdrs {
  const headers = newHeaders();
  for (const [name, value] of Object.entries(values)) headers.set(name, value);
  return headers;
}
