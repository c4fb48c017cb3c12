/**
 * Fetches scripts of their own: parts of the page that few players need. The build writes their
 * names into data attributes of index.html.
 */
import { findElement, setHidden, setText } from "./dom.ts";
import { isGone, reloadWhenThere } from "./reload.ts";

/**
 * @param name of the data attribute, such as "datagramScript"
 * @returns a function that fetches the script once; it throws TypeError if that cannot be done, and
 *   the next call tries again
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
 * Loads a part that the player has asked for. If it does not come, a dialog says why, and offers to
 * reload a page that is older than the server's build.
 * @param load that of a `scriptLoader`, and perhaps more
 * @param name of the data attribute, as for `scriptLoader`
 */
export async function askedPart<Module>(
  load: () => Promise<Module>,
  name: string,
): Promise<Module | undefined> {
  try {
    return await load();
  } catch {
    const isOld = await isGone(document.body.dataset[name]!);
    const dialog = findElement<HTMLDialogElement>(document, "#missing");
    const why = isOld
      ? "There is a new version of this page, and this part is in it. You keep your seat if you reload."
      : "This part of the page does not come at the moment.";
    setText(findElement(dialog, "#missing-why"), why);
    const reload = findElement<HTMLButtonElement>(dialog, "#missing-reload");
    setHidden(reload, !isOld);
    reload.onclick = () => void reloadWhenThere();
    findElement<HTMLButtonElement>(dialog, "#missing-close").onclick = () => dialog.close();
    if (!dialog.open) dialog.showModal();
    return undefined;
  }
}

/** The code of WebTransport: players on good lines never need it. */
export const loadDatagrams = scriptLoader<
  & typeof import("../session/datagrams/session_datagrams.ts")
  & typeof import("../net/datagram_session.ts")
>("datagramScript");

/** The dialog of settings, when a player first opens it. */
export const loadSettingsPanel = scriptLoader<typeof import("./settings_panel.ts")>(
  "settingsScript",
);
