/** A silent audio context that records gains, pans, and the ends of sources. */

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
  /** The number of sources with an end. */
  readonly started: number;
  /** The end of the last of them, s on the context's clock. */
  readonly lastEndS: number;
  /** Gains and pans in the order of their creation. */
  readonly gains: readonly Param[];
  readonly pans: readonly Param[];
}

export function createFakeAudio(): FakeAudio {
  const ends: number[] = [];
  const gains: Param[] = [];
  const pans: Param[] = [];
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
    createBufferSource: () => source({ playbackRate: new Param() }),
    createBuffer: (_: number, length: number) => ({
      getChannelData: () => new Float32Array(length),
    }),
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
  };
}
