/**
 * V8's inspector in another process of this machine: it collects the garbage there. So a test sees
 * leaks and no garbage that V8 has not collected yet. The product needs no switch for it.
 */

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
}

export class Inspector implements Disposable {
  readonly #socket: WebSocket;
  #answered = Promise.withResolvers<void>();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      const { id, error }: Answer = JSON.parse(data);
      if (id === undefined) return; // an event
      if (error === undefined) this.#answered.resolve();
      else this.#answered.reject(new Error(error.message));
    };
    socket.onclose = () => this.#answered.reject(new Error("the inspected process has ended"));
  }

  /** @param port as `--inspect` names it @throws Error if nothing answers there */
  static async connect(port: number): Promise<Inspector> {
    const [target] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
    const socket = new WebSocket(target.webSocketDebuggerUrl);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error("the inspector does not answer"));
    });
    return new Inspector(socket);
  }

  /** Collects all garbage, which also gives free pages back to the operating system. */
  async collectGarbage(): Promise<void> {
    this.#answered = Promise.withResolvers();
    this.#socket.send(JSON.stringify({ id: 1, method: "HeapProfiler.collectGarbage" }));
    await this.#answered.promise;
  }

  [Symbol.dispose](): void {
    this.#answered.promise.catch(() => {});
    this.#socket.close();
  }
}
