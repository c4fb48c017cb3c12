/**
 * The page's client as it was before it guessed. It assumes players' unknown commands, and ignores
 * early announcements. `deno task lab --people` compares the page with it over the same arrivals.
 */
import { dragonGame } from "../../../../shared/games/dragons/game.ts";
import { dragonView } from "../../../../client/games/dragons/view.ts";
import { MatchPresenter } from "../../../../client/presentation/match_presenter.ts";
import { bodyStreamSupport } from "../../../../client/session/body_stream_client.ts";
import type { Link } from "../../../../shared/netcode/link.ts";
import { CodeReader } from "../../../../shared/netcode/wire/range_coder.ts";
import { codeMessageType } from "../../../../shared/netcode/wire/server_messages.ts";
import type { ClientPolicy } from "./replay.ts";

const { newGuesser: _guesses, ...gameBefore } = dragonGame;

export const clientBefore: ClientPolicy = (options) =>
  new MatchPresenter(
    { game: gameBefore, view: dragonView, bodyStream: bodyStreamSupport(gameBefore) },
    { ...options, link: withoutEarly(options.link) },
  );

/** The link, without early announcements for its client. */
function withoutEarly(link: Link): Link {
  const onMessage = link.onMessage.bind(link);
  link.onMessage = (handler) =>
    onMessage((message, reliably) => {
      if (codeMessageType("tick", new CodeReader(message)) !== "early") handler(message, reliably);
    });
  return link;
}
