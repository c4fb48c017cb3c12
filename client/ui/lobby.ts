/**
 * The first screen: a name, a colour and one large button. The button joins the room with
 * most players, or an invitation's room, and its label says which. Smaller controls join a friend's
 * room, make a new one, or list all.
 */
import { isRoomCode, newRoomCode, newRoomKey, type PageUrl, sanitizeRoomCode } from "./page_url.ts";
import { findElement, make, setHidden, setText } from "./dom.ts";
import type { BestList } from "./lobby/best_list.ts";
import { bestRoom } from "../net/rooms.ts";
import { occupancyText, type RoomList } from "./lobby/room_list.ts";
import { sanitizeName } from "./player_name.ts";
import type { LobbyPart, OwnColours, Preload } from "../presentation/view.ts";

/**
 * How long Play waits for the game's files, ms. After that they go on loading and show as they
 * arrive, because on a slow network plain shapes are better than waiting.
 */
export const PRELOAD_MS_MAX = 20_000;

export interface Entry {
  /** Empty to let the server draw one. */
  readonly name: string;
  /** Four letters A–Z. */
  readonly room: string;
  readonly spectate: boolean;
  /** The room's options, if this player opens it (`GameOptions.choices`). */
  readonly choices: readonly number[];
  /** A private room's key. */
  readonly key?: string;
  /** Whether the room must be a new one. Its code is then drawn again as long as it is in use. */
  readonly isNew?: boolean;
  /** An operator's ticket, for one use. */
  readonly ticket?: string;
  /** Whether it is no room, but a practice match within the page. */
  readonly isSolo?: boolean;
  /** Whether a player's page hosts the room: this one if the room is new. */
  readonly isPageRoom?: boolean;
  /** Whether no server introduces the pages of that room, so that no link leads there. */
  readonly isByHand?: boolean;
  /** Whether any such room will do to which the server leads this page, and which it may open. */
  readonly isAny?: boolean;
}

/** The button that helps with a notice. */
export type Remedy = "reload" | "watch";

/** What the lobby keeps from visit to visit. */
export interface LobbySettings {
  readonly current: { readonly name: string; readonly colour: string };
  change(changes: { readonly name?: string; readonly colour?: string }): void;
}

/** Draws uniformly from 0 … 1 without 1, from the browser's entropy. */
const random = () => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;

/** A room, and what a player needs to get into it. */
type Invitation = Pick<PageUrl, "room" | "partialCode" | "key" | "ticket" | "isPageRoom">;

const NO_CODE = "A room is four letters, A to Z.";

export interface LobbyOptions {
  readonly roomList: RoomList;
  readonly bestList: BestList;
  readonly settings: LobbySettings;
  /** One radio button each; undefined without a choice. */
  readonly colours?: OwnColours | undefined;
  /** Reads to which room the player is invited; `room` is empty without an invitation. */
  readonly invitation: () => Invitation;
  /** Loads the page again, because it differs in version from the server. */
  readonly reload: () => void;
  readonly part?: LobbyPart | undefined;
  /** Whether the page can run a practice match. */
  readonly canPractise: boolean;
  /** Until it is done Play waits, `PRELOAD_MS_MAX` at most, and shows how far it is. */
  readonly preload?: Preload | undefined;
}

export class Lobby {
  readonly #screen: HTMLElement;
  readonly #name: HTMLInputElement;
  readonly #room: HTMLInputElement;
  readonly #play: HTMLButtonElement;
  readonly #go: HTMLButtonElement;
  readonly #watch: HTMLButtonElement;
  readonly #create: HTMLButtonElement;
  readonly #createPrivate: HTMLButtonElement;
  readonly #practise: HTMLButtonElement;
  readonly #playPages: HTMLButtonElement;
  readonly #hostHere: HTMLButtonElement;
  readonly #hostHint: HTMLElement;
  readonly #byHand: HTMLButtonElement;
  /** The buttons that lead into a match. */
  readonly #entrances: readonly HTMLButtonElement[];
  readonly #reload: HTMLButtonElement;
  readonly #invited: HTMLElement;
  readonly #notice: HTMLElement;
  readonly #roomList: RoomList;
  readonly #bestList: BestList;
  readonly #settings: LobbySettings;
  readonly #options: LobbyOptions;
  readonly #part: LobbyPart | undefined;
  /** Undefined once Play need not wait. */
  #preload: Preload | undefined;
  /** When the wait began, on the page's clock. */
  #preloadSinceMs: number | undefined;
  /** The room that the page enters once Play need not wait. */
  #awaited: { readonly room: string; readonly spectate: boolean } | undefined;
  #isBusy = false;
  /** The room without players of which Join has warned. */
  #warnedOf = "";
  #onEnter: (entry: Entry) => void = () => {};

  /**
   * @param root holds the markup of lobby.html in an element `#lobby`: the document or a shadow
   *   root
   * @throws Error if a part is missing
   */
  constructor(root: ParentNode, options: LobbyOptions) {
    const { roomList, bestList, settings, colours, part, preload } = options;
    this.#options = options;
    this.#part = part;
    this.#preload = preload;
    this.#roomList = roomList;
    this.#bestList = bestList;
    this.#settings = settings;

    // The screen's parts
    this.#screen = findElement(root, "#lobby");
    this.#name = findElement(root, "#name");
    this.#room = findElement(root, "#room");
    this.#play = findElement(root, "#play");
    this.#go = findElement(root, "#go");
    this.#watch = findElement(root, "#watch");
    this.#create = findElement(root, "#create");
    this.#createPrivate = findElement(root, "#create-private");
    this.#practise = findElement(root, "#practise");
    this.#playPages = findElement(root, "#play-pages");
    this.#hostHere = findElement(root, "#host-here");
    this.#hostHint = findElement(root, "#host-hint");
    this.#byHand = findElement(root, "#by-hand");
    setHidden(this.#practise, !options.canPractise);
    this.#entrances = [
      this.#play,
      this.#practise,
      this.#go,
      this.#watch,
      this.#create,
      this.#createPrivate,
      this.#playPages,
      this.#hostHere,
      this.#byHand,
    ];
    this.#reload = findElement(root, "#reload");
    this.#invited = findElement(root, "#invited");
    this.#notice = findElement(root, "#lobby-notice");

    // The player may have typed a name while the script was loading.
    this.#name.value = sanitizeName(this.#name.value || settings.current.name);
    const colourFields = findElement(root, "#colours");
    // Where teams decide there is nothing to choose.
    setHidden(colourFields, colours === undefined || colours.names.length < 2);
    if (colours !== undefined) this.#fillColours(colourFields, colours);
    this.showInvitation();
    this.#listen(root);

    // Only now, because before this a press would submit the form as in a page without a script.
    this.#setBusy(undefined);
  }

  /**
   * Sets the one listener, which is called with each valid entry. The buttons are disabled until
   * `show` or `hide`.
   */
  onEnter(listener: (entry: Entry) => void): void {
    this.#onEnter = listener;
  }

  get isShown(): boolean {
    return !this.#screen.hidden;
  }

  /**
   * Ends the wait for the game's files. Call it even while the page is hidden, where a player may
   * have a seat to come back to.
   * @param nowMs the page's clock
   */
  advanceLoading(nowMs: number): void {
    if (this.#preload !== undefined) this.#showLoading(this.#preload, nowMs);
  }

  /** Keeps the room list and the table of the best up to date. */
  advance(): void {
    if (!this.isShown || this.#isBusy) return;
    this.#roomList.advance();
    this.#bestList.advance();
    setText(this.#invited, this.#situation);
  }

  /** Presses the focused button, or else Play, as a gamepad's confirm button does. */
  confirm(): void {
    const focused = this.#focused;
    if (focused instanceof HTMLButtonElement) focused.click();
    else this.#play.click();
  }

  /**
   * Shows the form, ready for another attempt.
   * @param notice a sentence with the reason, or empty
   */
  show(notice = "", remedy?: Remedy): void {
    const wasAway = this.#screen.hidden || this.#isBusy;
    this.#screen.hidden = false;
    this.#setBusy(undefined);
    this.setNotice(notice);
    setHidden(this.#reload, remedy !== "reload");
    if (!wasAway) return;
    const next = remedy === "reload" ? this.#reload : remedy === "watch" ? this.#watch : this.#play;
    next.focus({ preventScroll: true });
  }

  /** Sets only the sentence under the form. */
  setNotice(notice: string): void {
    setText(this.#notice, notice);
  }

  /** Hides the form and takes the keyboard focus from it. */
  hide(): void {
    this.#screen.hidden = true;
    this.#setBusy(undefined);
    this.setNotice("");
    // The focus also leaves a text field, because otherwise keys would go there instead of to the
    // game.
    const focused = this.#focused;
    if (focused instanceof HTMLElement && this.#screen.contains(focused)) focused.blur();
  }

  /** Enters a room with the name in the form, once the game's files are there. */
  enter(room: string, { spectate }: { spectate: boolean }): void {
    if (this.#preload !== undefined) {
      this.#awaited = { room, spectate };
      return;
    }
    void this.#submit(spectate ? this.#watch : this.#play, room);
  }

  /** Shows to which room the player is invited now. Call it when the invitation changes. */
  showInvitation(): void {
    const { room, partialCode = "" } = this.#options.invitation();
    this.#room.value = room || partialCode;
    this.#label();
  }

  /**
   * Offers rooms that pages host, because the server introduces pages to each other.
   * @param options.tellsAddresses whether players in it can learn each other's addresses
   */
  offerHosting({ tellsAddresses }: { readonly tellsAddresses: boolean }): void {
    setHidden(this.#playPages, false);
    setHidden(this.#hostHere, false);
    setHidden(this.#hostHint, !tellsAddresses);
  }

  /** Offers rooms into which people lead each other. @param choose shows how */
  offerByHand(choose: () => void): void {
    setHidden(this.#byHand, false);
    this.#byHand.onclick = choose;
  }

  /**
   * Enters a room without a server.
   * @param room its code; undefined for a new one, which this page hosts
   */
  enterByHand(room: string | undefined): void {
    void this.#submit(this.#play, room, { isPageRoom: true, isByHand: true });
  }

  /** Moves the focus to Play. */
  focus(): void {
    this.#play.focus({ preventScroll: true });
  }

  /** The focused element of the lobby's own tree, because a document names only a shadow's host. */
  get #focused(): Element | null {
    return (this.#screen.getRootNode() as Document | ShadowRoot).activeElement;
  }

  #listen(root: ParentNode): void {
    this.#room.addEventListener("input", () => {
      this.#room.value = sanitizeRoomCode(this.#room.value);
    });
    const onSubmit = (form: string, submit: () => void) =>
      findElement(root, form).addEventListener("submit", (event) => {
        event.preventDefault();
        submit();
      });
    onSubmit("#join", () => void this.#submit(this.#play, this.#options.invitation().room));
    onSubmit("#friends", () => void this.#submit(this.#go, this.#room.value));
    this.#watch.addEventListener("click", () => this.#submit(this.#watch, this.#room.value));
    this.#create.addEventListener("click", () => this.#submit(this.#play, undefined));
    this.#createPrivate.addEventListener(
      "click",
      () => this.#submit(this.#play, undefined, { key: newRoomKey() }),
    );
    this.#playPages.addEventListener(
      "click",
      () => this.#submit(this.#play, undefined, { isPageRoom: true, isAny: true }),
    );
    this.#hostHere.addEventListener(
      "click",
      () => this.#submit(this.#play, undefined, { isPageRoom: true }),
    );
    this.#practise.addEventListener("click", () => this.practise());
    this.#reload.addEventListener("click", () => {
      this.setNotice("Reloading…");
      this.#options.reload();
    });
    this.#roomList.onChoice((room, how) => this.enter(room, how));
  }

  /**
   * @param code a room's code; empty for Play if any room will do, undefined for a new room
   * @param secret the key or ticket for the room; by default the invitation's, if it is to this
   *   room
   */
  async #submit(
    button: HTMLButtonElement,
    code: string | undefined,
    secret = this.#secretOf(code),
  ): Promise<void> {
    if (this.#isBusy) return;

    // Read what was typed
    const isValid = button === this.#play || isRoomCode(code!);
    this.#room.setAttribute("aria-invalid", String(!isValid));
    if (!isValid) {
      this.#room.focus();
      return this.setNotice(NO_CODE);
    }
    if (button === this.#go && await this.#warnsOf(code!) || this.#isBusy) return;

    const name = this.#begin(button);

    // Choose a room and enter it
    const room = code === "" ? bestRoom(await this.#roomList.refresh()) : code;

    // A new room's code is useless before the server opens it.
    this.#room.value = room ?? "";
    const choices = this.#part?.roomChoices() ?? [];
    this.#onEnter({
      name,
      room: room ?? newRoomCode(random),
      spectate: button === this.#watch,
      choices,
      ...room === undefined && { isNew: true },
      ...secret,
    });
  }

  /**
   * Asks for a second press before a typed code opens a new room, because a code with a wrong letter
   * would lead a friend into an empty room.
   */
  async #warnsOf(code: string): Promise<boolean> {
    if (code === this.#options.invitation().room || code === this.#warnedOf) return false;
    await this.#roomList.refresh();
    if (this.#roomList.find(code) !== null) return false;
    this.#warnedOf = code;
    this.setNotice(`Nobody is in room ${code}. Check the code, or press Join again to open it.`);
    return true;
  }

  /** What a visitor should know before a press: about the network, and the room of their link. */
  get #situation(): string {
    if (this.#roomList.isUnanswered && !navigator.onLine) {
      return this.#options.canPractise
        ? "You are offline. You can practise alone until the network is back."
        : "You are offline.";
    }

    const { room, partialCode, key, isPageRoom } = this.#options.invitation();
    if (partialCode !== undefined) return `The code of this link is not whole. ${NO_CODE}`;
    if (room === "" || key !== undefined || isPageRoom) return "";
    const listing = this.#roomList.find(room);
    if (listing === undefined) return "";
    return listing === null
      ? `Nobody is in room ${room}. Play opens it, and others come in by the same link.`
      : `Room ${room}: ${occupancyText(listing)}.`;
  }

  /** Plays alone with NPCs, on this device. */
  practise(): void {
    if (this.#isBusy) return;
    const name = this.#begin(this.#practise);
    const choices = this.#part?.roomChoices() ?? [];
    this.#onEnter({ name, room: "", spectate: false, choices, isSolo: true });
  }

  /** From here on no button can be pressed again. @returns the typed name, which is kept */
  #begin(pressed: HTMLButtonElement): string {
    const name = sanitizeName(this.#name.value);
    this.#name.value = name;
    this.#settings.change({ name });
    this.setNotice("");
    setHidden(this.#reload, true);
    this.#setBusy(pressed);
    return name;
  }

  #showLoading({ progress }: Preload, nowMs: number): void {
    const sinceMs = this.#preloadSinceMs ??= nowMs;
    if (progress < 1 && nowMs - sinceMs < PRELOAD_MS_MAX) {
      return setText(this.#play, loadingLabel(progress));
    }
    this.#preload = undefined;
    this.#setBusy(undefined);
    if (this.#awaited !== undefined) return this.enter(this.#awaited.room, this.#awaited);
    // The button could not take the focus before.
    if (document.activeElement === document.body) this.#play.focus({ preventScroll: true });
  }

  /** @param pressed the pressed button; undefined makes the form usable again */
  #setBusy(pressed: HTMLButtonElement | undefined): void {
    this.#isBusy = pressed !== undefined;
    for (const button of this.#entrances) {
      button.disabled = this.#isBusy || this.#preload !== undefined;
    }
    this.#label(pressed);
  }

  /** Sets the labels, which say what each button does. */
  #label(pressed?: HTMLButtonElement): void {
    const { room } = this.#options.invitation();
    const play = room === "" ? "Play now" : `Play in room ${room}`;
    const labels = [
      [this.#play, this.#preload === undefined ? play : loadingLabel(this.#preload.progress)],
      [this.#go, "Join"],
      [this.#watch, "Watch"],
    ] as const;
    for (const [button, label] of labels) setText(button, button === pressed ? "Joining…" : label);
  }

  /** Finds what else the invitation says about a room. */
  #secretOf(
    code: string | undefined,
  ): Pick<Entry, "key" | "ticket" | "isPageRoom" | "isByHand" | "isAny"> {
    const { room, key, ticket, isPageRoom } = this.#options.invitation();
    if (room === "" || room !== code) return {};
    return { ...key && { key }, ...ticket && { ticket }, ...isPageRoom && { isPageRoom } };
  }

  #fillColours(fieldset: HTMLElement, { names, fill }: OwnColours): void {
    for (const colour of names) {
      const checked = colour === this.#settings.current.colour;
      const radio = make("input", { type: "radio", name: "colour", value: colour, checked });
      radio.addEventListener("change", () => this.#settings.change({ colour }));
      radio.style.setProperty("--fill", fill(colour));
      fieldset.append(make("label", {}, radio, colour[0]!.toUpperCase() + colour.slice(1)));
    }
  }
}

/** @param progress 0 … 1 */
function loadingLabel(progress: number): string {
  return `Loading… ${Math.floor(100 * progress)} %`;
}
