/**
 * Inspects a server of `deno task dev` through V8's inspector: at which line it hangs, and whether
 * a debugger holds it there. The inspector listens only on loopback, and only development servers
 * have one.
 */

/** What an inspected process writes to standard error. */
const ADDRESS = /^Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/[\w-]+)/m;
/**
 * How long to wait for the inspector, ms. It answers within some ms, even while a loop runs. After
 * a save, however, the machine builds the page and checks types, and then an answer can take
 * seconds.
 */
const ANSWER_MS_MAX = 10_000;
/** A line of a stack, with source maps applied. */
const STACK_LINE = /\(?(file:\/\/[^\s)]+:\d+:\d+)\)?$/;
/** The project's folder, as Deno writes it before paths. */
const PROJECT = new URL("../../", import.meta.url).href;
/** Where games' rules are. A hang inside the stage is blamed on the rule that called it. */
const RULES = /^shared\/games\/|^shared\/game_kit\/|^(?!shared\/|server\/|client\/)/;

/** Where a process is at the moment. */
export interface Place {
  /** Whether another debugger has stopped it. */
  readonly isHeld: boolean;
  /**
   * The innermost line of a game's rules, or else of any code, as file:line:column; undefined if
   * nothing runs.
   */
  readonly at: string | undefined;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly callFrames?: readonly { readonly callFrameId: string }[] };
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

export class Debugger {
  readonly #address: string;

  /** @returns the inspector's address in a process's output; undefined for other text */
  static addressIn(text: string): string | undefined {
    return ADDRESS.exec(text)?.[1];
  }

  constructor(address: string) {
    this.#address = address;
  }

  /**
   * Stops the process for a moment to see where it is.
   * @returns undefined if the inspector does not answer in time
   */
  async place(): Promise<Place | undefined> {
    const answer = Promise.withResolvers<Place | undefined>();
    const timer = setTimeout(() => answer.resolve(undefined), ANSWER_MS_MAX);
    const socket = new WebSocket(this.#address);
    const send = (id: number, method: string, params = {}) =>
      socket.send(JSON.stringify({ id, method, params }));

    socket.onopen = () => {
      send(1, "Debugger.enable");
      send(2, "Runtime.enable");
    };
    socket.onerror = () => answer.resolve(undefined);

    let hasAsked = false;
    socket.onmessage = ({ data }) => {
      const { id, method, params, result } = JSON.parse(data as string) as Message;

      // A process held by a debugger reports that before this answer. Any other process is stopped
      // here.
      if (id === 2) {
        hasAsked = true;
        send(3, "Debugger.pause");
      }

      // It stands still. Ask at which line.
      if (method === "Debugger.paused") {
        if (!hasAsked) return answer.resolve({ isHeld: true, at: undefined });
        const [frame] = params?.callFrames ?? [];
        if (frame === undefined) return answer.resolve({ isHeld: false, at: undefined });
        send(4, "Debugger.evaluateOnCallFrame", {
          callFrameId: frame.callFrameId,
          expression: "new Error().stack",
          returnByValue: true,
        });
      }

      if (id === 4) {
        answer.resolve({ isHeld: false, at: placeIn(String(result?.result?.value ?? "")) });
      }
    };

    const place = await answer.promise;
    clearTimeout(timer);
    socket.close();
    return place;
  }
}

/** @returns the innermost line of a game's rules, or else of any code, as file:line:column */
function placeIn(stack: string): string | undefined {
  const places = stack.split("\n").flatMap((line) => {
    const place = STACK_LINE.exec(line.trim())?.[1]?.replace(PROJECT, "");
    return place === undefined || line.includes("eval at") ? [] : [place];
  });
  return places.find((place) => RULES.test(place)) ?? places[0];
}
