/**
 * Loads the files that a view imports, before play. The build puts `loadFile` in the place of each
 * import (`build/game_files.ts`). Sounds and fonts come by `fetch`, so the page's policy has no entry for
 * them.
 *
 * A file that fails is named once on the console. The game goes on without it: things show their
 * shapes, events are silent, letters have the page's font.
 */
import type { Preload } from "../../presentation/view.ts";
import { type FileKind, gameFiles } from "./game_files.ts";

/** As many as a browser asks one server for at once. */
const LOADING_MAX = 6;
/** Any rate will do, because a context resamples what it plays. Hz. */
const SAMPLE_RATE = 48_000;

interface FileInfo {
  readonly kind: FileKind;
  /** The source's path, for messages. */
  readonly name: string;
  readonly bytes: number;
}

interface WaitingFile extends FileInfo {
  readonly url: string;
}

/** Loads some files at once, in the order of their imports. */
class Loading implements Preload {
  readonly #waiting: WaitingFile[] = [];
  #active = 0;
  #bytes = 0;
  #bytesDone = 0;

  get progress(): number {
    return this.#bytesDone / this.#bytes;
  }

  add(file: WaitingFile): void {
    this.#bytes += file.bytes;
    this.#waiting.push(file);
    void this.#loadNext();
  }

  async #loadNext(): Promise<void> {
    if (this.#active === LOADING_MAX) return;
    const file = this.#waiting.shift();
    if (file === undefined) return;
    this.#active++;
    try {
      await LOADERS[file.kind](file.url);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      console.error(`Wyvern: ${file.name} did not load, and the game goes on without: ${reason}`);
    }
    this.#active--;
    this.#bytesDone += file.bytes;
    void this.#loadNext();
  }
}

const LOADERS: Readonly<Record<FileKind, (url: string) => Promise<void>>> = {
  async image(url) {
    // An element, because the other way, bitmaps, knows no svg
    const source = new Image();
    source.src = url;
    await source.decode();
    const { naturalWidth: width, naturalHeight: height } = source;
    if (width === 0) throw new Error("it has no width and height");
    gameFiles.images.set(url, { source, width, height });
  },

  async sound(url) {
    // No context that plays: browsers allow that only after the first key
    const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
    gameFiles.sounds.set(url, await decoder.decodeAudioData(await bytesOf(url)));
  },

  async font(url) {
    const family = `wyvern-${gameFiles.fonts.size}`;
    const face = new FontFace(family, await bytesOf(url));
    document.fonts.add(await face.load());
    gameFiles.fonts.set(url, family);
  },
};

async function bytesOf(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
  return await answer.arrayBuffer();
}

let loading: Loading | undefined;

/**
 * Has the page load a file.
 * @param path beside the page's script
 * @returns its address
 */
export function loadFile(path: string, file: FileInfo): string {
  const url = new URL(path, import.meta.url).href;
  gameFiles.preload = loading ??= new Loading();
  loading.add({ ...file, url });
  return url;
}
