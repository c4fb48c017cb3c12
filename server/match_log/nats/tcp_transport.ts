/**
 * Connects to the log's servers over TCP and TLS, with the client's own transport.
 *
 * A server that refuses the credentials says so and then resets the connection. By then the client
 * has removed its listeners from the socket, and a reset without a listener counts as an error of
 * the whole process. So the socket keeps a listener.
 */
import type { ConnectionOptions, NatsConnection } from "@nats-io/nats-core";
import { NatsConnectionImpl, setTransportFactory } from "@nats-io/nats-core/internal";
import { nodeResolveHost, NodeTransport } from "@nats-io/transport-node/lib/node_transport.js";

class ListeningTransport extends NodeTransport {
  override async connect(...args: Parameters<NodeTransport["connect"]>): Promise<void> {
    try {
      await super.connect(...args);
    } finally {
      // Kept here, because the client forgets its socket when it closes it.
      const { socket } = this;
      const listen = () => void socket?.on("error", ignore);
      listen();
      void this.closed().then(listen);
    }
  }

  override discard(): void {
    super.discard();
    this.socket?.on("error", ignore);
  }
}

function ignore(): void {}

/**
 * Connects to one of several servers.
 * @throws the client's error if none answers or accepts the credentials
 */
export function connectByTcp(options: ConnectionOptions): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new ListeningTransport(), dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect({ ...options, resolve: mayResolve() });
}

/**
 * Whether the client may look up a server's addresses by itself and try each. A process that may
 * connect to named servers only leaves that to the connection, because an address that was looked up
 * is none of the names.
 */
function mayResolve(): boolean {
  return Deno.permissions.querySync({ name: "net" }).state === "granted";
}
