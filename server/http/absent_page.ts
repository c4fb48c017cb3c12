/**
 * What a person reads at an address where nothing is, with the way to what is there. Programs get a
 * line of text instead.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { NO_SUCH_PAGE, pathOf, respondText } from "./answers.ts";
import type { StaticFiles } from "./static_files.ts";

/** In the colours of the other pages. It names no file, because its address may be anywhere. */
const STYLE = `:root { color-scheme: dark; font: 100%/1.5 system-ui, sans-serif; }
body { display: grid; min-height: 100vh; margin: 0; place-items: center;
  background: linear-gradient(#11152a, #2b2746 55%, #4b3450 85%, #1a1a2e) fixed; color: #f1eee6; }
main { box-sizing: border-box; width: min(30rem, 100% - 2rem); padding: 1.6rem;
  border: 1px solid #4a4f70; border-radius: 16px; background: #14182f; }
h1 { margin: 0; font-size: 1.6rem; }
p { margin: 0.6rem 0 0; }
a { display: inline-block; padding: 0.4rem 0; color: #6cc5ff; }
a:focus-visible { outline: 3px solid #6cc5ff; outline-offset: 3px; }`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
  `form-action 'none'; frame-ancestors 'none'`;

/** Answers 404: with a page for a browser that wants to show one, and otherwise with a line. */
export function respondAbsent(
  request: IncomingMessage,
  response: ServerResponse,
  files: StaticFiles,
): void {
  const isForPeople = request.headers.accept?.includes("text/html") === true;
  if (!isForPeople || !files.has("/")) return respondText(response, 404, NO_SUCH_PAGE);
  response.writeHead(404, {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Connection": "close",
  });
  response.end(pageOf(linksFrom(pathOf(request), files)));
}

/** A way on: an address and its words, which need no escaping. */
type Way = readonly [href: string, words: string];

/** The nearest page above the address, and the start. Neither repeats what was asked for. */
function linksFrom(path: string, files: StaticFiles): readonly Way[] {
  const game = files.keys().find((each) => /^\/\w+\/$/.test(each) && path.startsWith(each));
  return [
    ...game === undefined ? [] : [[game, "To this game"]] as const,
    ["/", game === undefined ? "To the start" : "To all games"],
  ];
}

function pageOf(ways: readonly Way[]): string {
  const links = ways.map(([href, words]) => `<p><a href="${href}">${words}</a></p>`).join("");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No such page</title>
<style>${STYLE}</style>
</head>
<body><main><h1>There is no such page</h1>
<p>The address may have a wrong letter, or what was here is gone.</p>${links}</main></body>
</html>
`;
}
