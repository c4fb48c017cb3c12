/** The process that a supervisor has started: the server itself, which runs the matches. */
import { SERVER_PROCESS } from "../../../server/supervision/child_command.ts";

/**
 * The server below a process that was started as one.
 * @param pid of the program that was started
 * @returns the same for a server without a supervisor, or one that has ended; other systems than
 *   Linux do not say
 */
export function serverPidOf(pid: number): number {
  try {
    const isServer = (child: string) => {
      const words = Deno.readTextFileSync(`/proc/${child}/cmdline`).split("\0");
      return words.includes(SERVER_PROCESS);
    };
    return Number(descendantsOf(`${pid}`).find(isServer) ?? pid);
  } catch {
    return pid;
  }
}

/** A process' children, and theirs: a command may be above the supervisor. */
function descendantsOf(pid: string): string[] {
  const children = [...Deno.readDirSync(`/proc/${pid}/task`)].flatMap(({ name }) => (
    Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`).split(" ").filter((child) =>
      child !== ""
    )
  ));
  return [...children, ...children.flatMap(descendantsOf)];
}

/**
 * Sends a signal to a server as the system would: a pause or a kill meets the server, all else its
 * supervisor.
 */
export function signalServer(pid: number, signal: Deno.Signal): void {
  const server = serverPidOf(pid);
  if (signal === "SIGSTOP" || signal === "SIGCONT") return Deno.kill(server, signal);
  Deno.kill(pid, signal);
  // The supervisor cannot start another one any more.
  if (signal === "SIGKILL" && server !== pid) Deno.kill(server, signal);
}
