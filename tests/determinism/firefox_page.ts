/** The runner for a page that nobody drives: it asks its server for work, does it and reports, for as long as there is a server. */
import { run } from "./runner.ts";

try {
  for (;;) {
    const request = await (await fetch("/next")).json();
    let answer;
    try {
      answer = { reply: run(request) };
    } catch (error) {
      answer = { error: String(error) };
    }
    await fetch("/answer", { method: "POST", body: JSON.stringify(answer) });
  }
} catch {
  globalThis.close();
}
