/** The words around the arena on a real page, for tests: what they show is what they were told. */
import { Hud } from "../../client/hud.ts";
import { Lobby } from "../../client/lobby.ts";

Object.assign(globalThis, { hud: new Hud(document), lobby: new Lobby(document) });
