/**
 * The runner in Node: one request on standard input, its reply on standard output. It imports no
 * Node module, so the page's bundler suffices.
 */
import { run } from "./runner.ts";

let text = "";
for await (const chunk of process.stdin) text += chunk;
process.stdout.write(JSON.stringify(await run(JSON.parse(text))));
