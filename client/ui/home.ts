/**
 * The page at the game's server to which this page belongs. Usually that is the page itself. A page
 * that was built with `--server` lies on another site, and names its home in the document.
 */
import type { HostedGame } from "../net/rooms.ts";
import { basePathOf, gameNameOf } from "./page_url.ts";

interface Home {
  /** The server, http://… or https://…, without a path. */
  readonly origin: string;
  /** The path of the game's page there: "/", or "/NAME/" beside other games. */
  readonly path: string;
  /** Whether this page lies on another site. */
  readonly isElsewhere: boolean;
}

/** Reads it from the document. Call it in a page alone. */
export function pageHome(): Home {
  const named = document.documentElement.dataset.server;
  if (named === undefined) {
    return { origin: location.origin, path: basePathOf(location), isElsewhere: false };
  }
  const { origin, pathname } = new URL(named);
  return { origin, path: pathname, isElsewhere: origin !== location.origin };
}

/** The game's name in the home's path; empty for a game that is hosted alone. */
export function hostedName(): string {
  return gameNameOf({ pathname: pageHome().path });
}

/** The game of this page at its server. */
export function hostedGame(): HostedGame {
  return { origin: pageHome().origin, name: hostedName() };
}

/** The address of something at the server. @param path from the server's root, such as /api/rooms */
export function serverUrl(path: string): string {
  return pageHome().origin + path;
}
