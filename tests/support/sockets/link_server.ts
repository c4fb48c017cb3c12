/** Links over real WebSockets, on a port of this machine and without the rest of a server. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSockets, type WebSocketsOptions } from "../../../server/http/websocket.ts";
import { LOCAL_PEER } from "../../../server/match/clients/peer.ts";

export class LinkServer implements AsyncDisposable {
  readonly #sockets: WebSockets;
  readonly #server: Server;

  private constructor(sockets: WebSockets, server: Server) {
    this.#sockets = sockets;
    this.#server = server;
  }

  static async open(options: WebSocketsOptions): Promise<LinkServer> {
    const sockets = new WebSockets(options);
    const server = createServer().on(
      "upgrade",
      (request, socket, head) =>
        sockets.handleUpgrade(request, { socket, head, client: LOCAL_PEER }),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new LinkServer(sockets, server);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Waits until every connection has ended: close the links before. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#sockets.stop();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
