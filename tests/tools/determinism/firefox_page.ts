/**
 * The runner in a page without playwright: it polls its server for requests, runs them and posts
 * the replies until the server is gone.
 */
import { answer } from "./runner.ts";

try {
  for (;;) {
    const request = await (await fetch("/next")).json();
    let result;
    try {
      result = { reply: await answer(request) };
    } catch (error) {
      result = { error: String(error) };
    }
    await fetch("/answer", { method: "POST", body: JSON.stringify(result) });
  }
} catch {
  globalThis.close();
}
