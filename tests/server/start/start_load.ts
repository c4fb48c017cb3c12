/**
 * Asks a server from before it listens: one request every 2 ms, each on a connection of its own,
 * over every route of every port in turn. It keeps what each was answered.
 */
import { HANDSHAKE } from "../../support/sockets/raw_socket.ts";

const EVERY_MS = 2;
/**
 * An answer that is not there after this time, ms, counts as none. The machine may run other tests
 * beside.
 */
const ANSWER_MS_MAX = 20_000;

/** A request, and the statuses that answer it once the server has started. */
export interface Route {
  readonly port: number;
  /** Such as "GET /healthz"; "UPGRADE /socket" asks for a WebSocket. */
  readonly line: string;
  readonly statuses: readonly number[];
  /** Further header lines. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

/**
 * What a request got: a status, "refused" before the port is open, or "cut" for a connection
 * without an answer.
 */
export interface Outcome {
  readonly route: Route;
  readonly answer: number | "refused" | "cut";
  /** Whether a 503 says when to come again. */
  readonly hasRetryAfter: boolean;
}

/**
 * @param started resolves when the server has started: then each route comes once more
 * @returns what each request got
 */
export async function askFromTheFirstMoment(
  routes: readonly Route[],
  started: Promise<unknown>,
): Promise<Outcome[]> {
  let isOver = false;
  void started.finally(() => isOver = true).catch(() => {});
  const asked: Promise<Outcome>[] = [];
  const beganMs = performance.now();
  while (!isOver) {
    asked.push(ask(routes[asked.length % routes.length]!));
    // Absolute times: a late timer costs no request.
    const dueMs = beganMs + asked.length * EVERY_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
  }
  return await Promise.all([...asked, ...routes.map(ask)]);
}

async function ask(route: Route): Promise<Outcome> {
  let connection: Deno.TcpConn;
  try {
    connection = await Deno.connect({ hostname: "127.0.0.1", port: route.port });
  } catch {
    return { route, answer: "refused", hasRetryAfter: false };
  }

  const timer = setTimeout(() => connection.close(), ANSWER_MS_MAX);

  try {
    await connection.write(new TextEncoder().encode(textOf(route)));
    const header = await headerOf(connection);
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(header)?.[1];
    return {
      route,
      answer: status === undefined ? "cut" : Number(status),
      hasRetryAfter: /^retry-after: [1-9]\d*\r$/im.test(header),
    };
  } catch {
    return { route, answer: "cut", hasRetryAfter: false };
  } finally {
    clearTimeout(timer);
    try {
      connection.close();
    } catch {
      // The timer has closed it.
    }
  }
}

function textOf({ line, port, headers = [], body }: Route): string {
  const isUpgrade = line.startsWith("UPGRADE ");
  return [
    `${line.replace("UPGRADE", "GET")} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...isUpgrade ? HANDSHAKE : ["Connection: close"],
    ...headers,
    ...body === undefined ? [] : [`Content-Length: ${body.length}`],
    "",
    body ?? "",
  ].join("\r\n");
}

/** The answer up to the end of its header; shorter if the connection ends before. */
async function headerOf(connection: Deno.TcpConn): Promise<string> {
  const decoder = new TextDecoder();
  const part = new Uint8Array(4_096);
  let header = "";
  while (!header.includes("\r\n\r\n")) {
    const read = await connection.read(part);
    if (read === null) return header;
    header += decoder.decode(part.subarray(0, read), { stream: true });
  }
  return header;
}
