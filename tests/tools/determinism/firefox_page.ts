/**
 * The runner in a page without playwright: it polls its server for requests, runs them and posts
 * the replies until the server is gone.
 */
import { run } from "./runner.ts";

try {
  for (;;) {
    const request = await (await fetch("/next")).json();
    let answer;
    try {
      answer = { reply: await run(request) };
    } catch (error) {
      answer = { error: String(error) };
    }
    await fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
  }
} catch {
  globalThis.close();
}
