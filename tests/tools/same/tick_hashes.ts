/**
 * Prints the hashes of a scene's ticks, as a checkout's code steps them. It runs with the
 * configuration of that checkout and imports nothing of this one.
 *
 *     deno run --allow-read --config CONFIG tick_hashes.ts URL SCENE SEED TICKS
 */
type Run = (
  request: { readonly scene: string; readonly seed: number; readonly ticks: number },
) => Promise<{ readonly hashes: readonly number[] }>;

const [url, scene, seed, ticks] = Deno.args;
// Older checkouts call it `run`.
const { run, answer = run }: { run: Run; answer?: Run } = await import(url!);
const { hashes } = await answer({ scene: scene!, seed: Number(seed), ticks: Number(ticks) });
console.log(JSON.stringify(hashes));
