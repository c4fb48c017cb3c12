/**
 * Fetches separate scripts: parts of the page that few players need. The build writes their names
 * into data attributes in index.html.
 */
import { make } from "./dom.ts";
import { ask } from "./question.ts";
import { isGone, reloadWhenThere } from "./reload.ts";

/**
 * @param name the data attribute's, such as "datagramScript"
 * @returns a function that fetches the script once; if it fails it throws TypeError, and the next
 *   call tries again
 */
export function scriptLoader<Module>(name: string): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () =>
    loading ??= import(new URL(document.body.dataset[name]!, import.meta.url).href).catch(
      (error) => {
        loading = undefined;
        throw error;
      },
    );
}

/**
 * As `scriptLoader`, for a part with a style sheet of its own, which comes before the part is used.
 * @param names.style the style sheet's data attribute; parts may share one
 */
export function styledLoader<Module>(
  { script, style }: { readonly script: string; readonly style: string },
): () => Promise<Module> {
  const load = scriptLoader<Module>(script);
  return async () => {
    const [module] = await Promise.all([load(), styled(document.body.dataset[style]!)]);
    return module;
  };
}

/** By address: the style sheets that have come, or have failed, and then the part is unstyled. */
const styles = new Map<string, Promise<unknown>>();

function styled(href: string): Promise<unknown> {
  const known = styles.get(href);
  if (known !== undefined) return known;
  const coming = new Promise((resolve) => {
    const link = make("link", { rel: "stylesheet", href });
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  styles.set(href, coming);
  return coming;
}

/**
 * Loads a part that the player asked for. If it does not come, a dialog says why, and offers to
 * reload a page that is older than the server's build.
 * @param load a `scriptLoader`'s function, or one that loads more
 * @param name the data attribute's, as for `scriptLoader`
 */
export async function askedPart<Module>(
  load: () => Promise<Module>,
  name: string,
): Promise<Module | undefined> {
  try {
    return await load();
  } catch {
    const isOld = await isGone(document.body.dataset[name]!);
    const why = isOld
      ? "There is a new version of this page, and this part is in it. You keep your seat if you reload."
      : "This part of the page does not come at the moment.";
    ask(why, {
      "Not now"() {},
      ...isOld && { Reload: () => void reloadWhenThere() },
    });
    return undefined;
  }
}

/** Loads the code for WebTransport, which players on good connections never need. */
export const loadDatagrams = scriptLoader<
  & typeof import("../session/datagrams/session_datagrams.ts")
  & typeof import("../net/datagram_session.ts")
>("datagramScript");

/** Loads the rooms that pages host, when a player opens or joins one. */
export const loadPageRooms = scriptLoader<typeof import("../page_rooms/page_rooms.ts")>(
  "pageRoomsScript",
);

/** Loads what lets a gamepad reach every control, when there is a gamepad. */
export const loadPadFocus = scriptLoader<typeof import("../input/pad_focus.ts")>("padScript");

/** Loads the first flight, when a visitor first plays. */
export const loadFirstFlight = styledLoader<typeof import("./asked/first_flight.ts")>({
  script: "flightScript",
  style: "askedStyle",
});

/** Loads the settings dialog, when a player first opens it. */
export const loadSettingsPanel = scriptLoader<typeof import("./settings_panel.ts")>(
  "settingsScript",
);

/** Loads the slow motion and the link to a replay, when a match first has a result. */
export const loadAfterRound = scriptLoader<typeof import("./match/after_round.ts")>(
  "afterRoundScript",
);

/** Loads the past of a match, when somebody begins to watch. */
export const loadRewind = styledLoader<typeof import("../replay/rewind/rewind.ts")>({
  script: "rewindScript",
  style: "askedStyle",
});

/** Loads "How it works", when a visitor first asks for it. */
export const loadHowItWorks = styledLoader<typeof import("./asked/how_it_works.ts")>({
  script: "howScript",
  style: "askedStyle",
});

/** Loads the rooms without a server, when a player asks for one. */
export const loadByHand = styledLoader<typeof import("./asked/by_hand.ts")>({
  script: "byHandScript",
  style: "askedStyle",
});

/** Loads the invitation with its QR code, when a player first invites somebody. */
export const loadInviteDialog = styledLoader<typeof import("./asked/invite_dialog.ts")>({
  script: "inviteScript",
  style: "askedStyle",
});
