/**
 * Fetches scripts of their own: parts of the page that few players need. The build writes their names into data
 * attributes of index.html.
 */

/**
 * @param name of the data attribute, such as "datagramScript"
 * @returns a function that fetches the script once; it throws TypeError if that cannot be done, and the next call tries again
 */
export function scriptLoader<Module>(name: string): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return () =>
    loading ??= import(new URL(document.body.dataset[name]!, import.meta.url).href).catch((error) => {
      loading = undefined;
      throw error;
    });
}

/** The code of WebTransport: players on good lines never need it. */
export const loadDatagrams = scriptLoader<
  typeof import("../session/datagrams/session_datagrams.ts") & typeof import("../net/datagram_session.ts")
>("datagramScript");

/** The dialog of settings, when a player first opens it. */
export const loadSettingsPanel = scriptLoader<typeof import("./settings_panel.ts")>("settingsScript");
