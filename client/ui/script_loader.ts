/**
 * Fetches separate scripts: parts of the page that few players need. The build writes their names
 * into data attributes in index.html.
 */
import { findElement, setHidden, setText } from "./dom.ts";
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

/** Loads the code for WebTransport, which players on good connections never need. */
export const loadDatagrams = scriptLoader<
  & typeof import("../session/datagrams/session_datagrams.ts")
  & typeof import("../net/datagram_session.ts")
>("datagramScript");

/** Loads the settings dialog, when a player first opens it. */
export const loadSettingsPanel = scriptLoader<typeof import("./settings_panel.ts")>(
  "settingsScript",
);
