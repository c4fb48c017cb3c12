/**
 * The runner as a program of Node's or Deno's: one request on standard input, its reply on standard
 * output. It imports no module of theirs, so the page's bundler suffices.
 */
import { answer } from "./runner.ts";

let text = "";
for await (const chunk of process.stdin) text += chunk;
process.stdout.write(JSON.stringify(await answer(JSON.parse(text))));
