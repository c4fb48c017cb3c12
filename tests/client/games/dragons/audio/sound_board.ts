/** An audio context that makes no sound and takes note of when what would have been heard, and where. */
import { emptyScene, type RenderScene } from "../../../../../client/games/dragons/scene.ts";
import { LEDGES } from "../../../../../shared/games/dragons/arena.ts";

class Param {
  value = 0;
  setValueAtTime(): void {}
  exponentialRampToValueAtTime(): void {}
  setTargetAtTime(value: number): void {
    this.value = value;
  }
}

export interface FakeAudio {
  readonly context: AudioContext;
  /** Sources that end by themselves. */
  readonly started: number;
  /** When the last of them has ended, s on the context's clock. */
  readonly lastEndS: number;
  /** Gains and pans in the order of their making. */
  readonly gains: readonly Param[];
  readonly pans: readonly Param[];
  /** A scene of which a sound needs no more than this. */
  sceneWith(part: Partial<RenderScene>): RenderScene;
}

export function createFakeAudio(): FakeAudio {
  const ends: number[] = [], gains: Param[] = [], pans: Param[] = [];
  const node = (more: object = {}) => {
    const made = { connect: (to: unknown) => to, ...more };
    return made;
  };
  const source = (more: object) => {
    let index = -1;
    return node({
      start() {},
      stop(atS: number) {
        if (index < 0) index = ends.length;
        ends[index] = atS;
      },
      ...more,
    });
  };
  const tracked = (list: Param[]) => {
    const param = new Param();
    list.push(param);
    return param;
  };
  const context = {
    currentTime: 10,
    sampleRate: 8000,
    state: "running",
    destination: node(),
    createGain: () => node({ gain: tracked(gains) }),
    createStereoPanner: () => node({ pan: tracked(pans) }),
    createBiquadFilter: () => node({ frequency: new Param() }),
    createOscillator: () => source({ frequency: new Param() }),
    createBufferSource: () => source({}),
    createBuffer: (_: number, length: number) => ({ getChannelData: () => new Float32Array(length) }),
  };
  return {
    context: context as unknown as AudioContext,
    gains,
    pans,
    get started() {
      return ends.length;
    },
    get lastEndS() {
      return Math.max(...ends);
    },
    sceneWith: (part) => ({ ...emptyScene(LEDGES), ...part }),
  };
}
