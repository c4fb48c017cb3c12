/** Passes Ctrl-C on to a child process, so that it can name the test that it runs. */

/** A shell's exit code of a process that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_INTERRUPTED = 130;

/** @returns how the child ended: its exit code, or that of an interrupted process */
export async function interruptible(
  child: Deno.ChildProcess,
): Promise<{ readonly code: number; readonly isInterrupted: boolean }> {
  let isInterrupted = false;
  const interrupt = () => {
    isInterrupted = true;
    child.kill("SIGINT");
  };
  Deno.addSignalListener("SIGINT", interrupt);
  const { code } = await child.status;
  Deno.removeSignalListener("SIGINT", interrupt);
  return { code: isInterrupted ? EXIT_INTERRUPTED : code, isInterrupted };
}
