/** The runner for Node: one request on standard input, its reply on standard output. Nothing is imported, so any bundle will do. */
import { run } from "./runner.ts";

let text = "";
for await (const chunk of process.stdin) text += chunk;
process.stdout.write(JSON.stringify(run(JSON.parse(text))));
