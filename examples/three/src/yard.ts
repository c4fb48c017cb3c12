/**
 * The yard, drawn by Three.js in two and a half dimensions: the world is flat, everything in it has
 * a depth, and a camera looks at it from above. Metres; x and y are the world's, and z points at
 * the camera.
 */
import * as THREE from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import type { TypesOf } from "wyvern";
import type { MatchFrame } from "wyvern/session";
import {
  BLOCK_HALF,
  FLOOR,
  type game,
  HALF_WIDTH,
  heightAt,
  MARBLE_RADIUS,
  SEESAW,
} from "../games/tumble/game.ts";
import { colourOf } from "./hud.ts";
import { earthMaterial, grassMaterial, marbleMaterial, nameSprite } from "./materials.ts";

type Frame = MatchFrame<TypesOf<typeof game>>;
type Thing = Frame["things"][number];

/** How far the yard reaches towards the camera and away from it. */
const FRONT = 2.4;
const BACK = -7;
const BELOW = -9;
/** The least width and height that a window shows, and the lens, degrees. */
const WIDTH_SEEN_MIN = 13;
const HEIGHT_SEEN_MIN = 13;
const LENS = 32;
/** How fast the camera comes up to the marble: by this share of the rest, per second. */
const CAMERA_RATE = 6;

const CHIPS_MAX = 200;
const CHIP_SECONDS = 0.9;
const FRAME_SECONDS_MAX = 0.3;

const WOOD = [0xe8b878, 0xd98f5c, 0xf0cf8f, 0xc97b52] as const;
const SEESAW_COLOUR = 0xd9534f;
const GEM_COLOUR = 0x39d0e8;

/** A splinter that flies. Metres, m/s and seconds. */
interface Chip {
  readonly mesh: THREE.Mesh;
  readonly velocity: THREE.Vector3;
  left: number;
}

/** What the page draws of a thing; a name does not turn with it. */
interface Picture {
  readonly body: THREE.Object3D;
  readonly name?: THREE.Sprite;
}

/** Pixels of the picture for one of the page's, where each pixel is computed by the processor. */
const SLOW_PIXEL_RATIO = 0.5;

/** Whether this machine draws without a graphics card: a frame with shadows would take a second. */
function drawsInSoftware(): boolean {
  const options = { failIfMajorPerformanceCaveat: true };
  return document.createElement("canvas").getContext("webgl2", options) === null;
}

export class Yard {
  readonly #renderer: THREE.WebGLRenderer;
  readonly #scene = new THREE.Scene();
  readonly #camera = new THREE.PerspectiveCamera(LENS, 1, 1, 200);
  readonly #sun = new THREE.DirectionalLight(0xfff1d6, 2.6);
  readonly #pictures = new Map<number, Picture>();
  readonly #chips: Chip[] = [];
  readonly #chipShape = new THREE.TetrahedronGeometry(0.16);
  readonly #aim = new THREE.Vector3(0, 3, 0);
  #seconds = 0;

  /** Opens a canvas in an element that fills the window. */
  static async open(element: HTMLElement): Promise<Yard> {
    const isSlow = drawsInSoftware();
    const renderer = new THREE.WebGLRenderer({ antialias: !isSlow, alpha: true });
    renderer.setPixelRatio(isSlow ? SLOW_PIXEL_RATIO : Math.min(2, devicePixelRatio));
    renderer.shadowMap.enabled = !isSlow;
    renderer.toneMapping = THREE.ACESFilmicToneMapping;
    element.append(renderer.domElement);

    const yard = new Yard(renderer, { hasReflections: !isSlow });
    const resize = () => {
      renderer.setSize(innerWidth, innerHeight, false);
      yard.#camera.aspect = innerWidth / innerHeight;
      yard.#camera.updateProjectionMatrix();
    };
    addEventListener("resize", resize);
    resize();
    await yard.#warmUp();
    return yard;
  }

  private constructor(
    renderer: THREE.WebGLRenderer,
    { hasReflections }: { hasReflections: boolean },
  ) {
    this.#renderer = renderer;
    if (hasReflections) {
      const reflections = new THREE.PMREMGenerator(renderer).fromScene(new RoomEnvironment());
      this.#scene.environment = reflections.texture;
      this.#scene.environmentIntensity = 0.45;
    } else {
      this.#scene.add(new THREE.AmbientLight(0xd5e8f2, 0.9));
    }
    this.#scene.fog = new THREE.Fog(0xd5e8f2, 45, 110);

    const sun = this.#sun;
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, { left: -18, right: 18, top: 16, bottom: -14, far: 70 });
    sun.shadow.normalBias = 0.04;
    this.#scene.add(sun, sun.target, ground(), ...scenery());
  }

  /**
   * Compiles what draws each kind of thing. It takes a slow machine many seconds, in which a player
   * who is in a match already would do nothing, and lose the seat.
   */
  async #warmUp(): Promise<void> {
    const kinds = ["marble", "block", "seesaw", "gem"] as const;
    const bodies = kinds.map((name) =>
      bodyOf({ id: 0, name, npc: false, colour: "#fff" } as Thing)
    );
    const label = nameSprite("", false);
    this.#scene.add(...bodies, label);
    this.#camera.position.set(0, 8, 20);
    await this.#renderer.compileAsync(this.#scene, this.#camera);
    this.#renderer.render(this.#scene, this.#camera);
    this.#scene.remove(...bodies, label);
  }

  /** Draws one frame. */
  draw(frame: Frame): void {
    const passed = Math.min(FRAME_SECONDS_MAX, Math.max(0, frame.seconds - this.#seconds));
    this.#seconds = frame.seconds;

    for (const id of frame.gone) this.#remove(id);
    for (const thing of frame.things) {
      const { body, name } = this.#pictures.get(thing.id) ?? this.#add(thing);
      body.position.set(thing.x, thing.y, 0);
      body.rotation.z = thing.angle;
      name?.position.set(thing.x, thing.y + 1.15, 0.8);
      if (thing.name === "gem") {
        body.rotation.y = 2 * frame.seconds + thing.id;
        body.position.y += 0.12 * Math.sin(3 * frame.seconds + thing.id);
      }
    }

    for (const { kind, x, y } of frame.events) {
      if (kind === "gem") this.#burst(x, y, 18, GEM_COLOUR);
      else this.#burst(x, y, 5, WOOD[0]);
    }
    this.#moveChips(passed);
    this.#placeCamera(frame, passed);
    this.#renderer.render(this.#scene, this.#camera);
  }

  #add(thing: Thing): Picture {
    const body = bodyOf(thing);
    body.traverse((part) => {
      part.castShadow = true;
      part.receiveShadow = true;
    });
    const name = thing.name === "marble" ? nameSprite(thing.label, thing.own) : undefined;
    this.#scene.add(body);
    if (name !== undefined) this.#scene.add(name);
    const picture = { body, ...name !== undefined && { name } };
    this.#pictures.set(thing.id, picture);
    return picture;
  }

  #remove(id: number): void {
    const picture = this.#pictures.get(id);
    if (picture === undefined) return;
    this.#scene.remove(picture.body);
    if (picture.name !== undefined) this.#scene.remove(picture.name);
    this.#pictures.delete(id);
  }

  #burst(x: number, y: number, count: number, colour: number): void {
    const material = new THREE.MeshStandardMaterial({ color: colour, emissive: colour });
    material.emissiveIntensity = 0.35;
    for (let i = 0; i < count && this.#chips.length < CHIPS_MAX; i++) {
      const mesh = new THREE.Mesh(this.#chipShape, material);
      mesh.position.set(x, y, 0);
      const velocity = new THREE.Vector3().randomDirection().multiplyScalar(3 + 4 * Math.random());
      velocity.y += 3;
      this.#scene.add(mesh);
      this.#chips.push({ mesh, velocity, left: CHIP_SECONDS });
    }
  }

  #moveChips(passed: number): void {
    for (let i = this.#chips.length - 1; i >= 0; i--) {
      const chip = this.#chips[i]!;
      chip.left -= passed;
      if (chip.left <= 0) {
        this.#scene.remove(chip.mesh);
        this.#chips.splice(i, 1);
        continue;
      }
      chip.velocity.y -= 14 * passed;
      chip.mesh.position.addScaledVector(chip.velocity, passed);
      chip.mesh.rotation.x += 9 * passed;
      chip.mesh.scale.setScalar(chip.left / CHIP_SECONDS);
    }
  }

  /** Follows the own marble from above; an upright window stands farther away. */
  #placeCamera({ followed }: Frame, passed: number): void {
    const half = Math.tan(LENS / 2 * Math.PI / 180);
    const { aspect } = this.#camera;
    const distance = Math.max(HEIGHT_SEEN_MIN, WIDTH_SEEN_MIN / aspect) / half / 2;
    const widthSeen = 2 * half * distance * aspect;
    const range = Math.max(0, HALF_WIDTH - widthSeen / 2 + 2);
    const x = Math.max(-range, Math.min(range, followed?.x ?? 0));
    const y = 0.6 * (followed?.y ?? 3) + 1.6;
    const share = 1 - Math.exp(-CAMERA_RATE * passed);
    this.#aim.x += share * (x - this.#aim.x);
    this.#aim.y += share * (y - this.#aim.y);

    this.#camera.position.set(this.#aim.x, this.#aim.y + 0.3 * distance, 0.95 * distance);
    this.#camera.lookAt(this.#aim);
    this.#sun.position.set(this.#aim.x - 9, 24, 16);
    this.#sun.target.position.set(this.#aim.x, 0, 0);
  }
}

function bodyOf(thing: Thing): THREE.Object3D {
  switch (thing.name) {
    case "marble":
      return new THREE.Mesh(
        new THREE.SphereGeometry(MARBLE_RADIUS, 32, 24),
        marbleMaterial(colourOf(thing)),
      );
    case "block":
      return new THREE.Mesh(
        new RoundedBoxGeometry(2 * BLOCK_HALF, 2 * BLOCK_HALF, 2.2, 3, 0.1),
        new THREE.MeshStandardMaterial({ color: WOOD[thing.id % WOOD.length]!, roughness: 0.7 }),
      );
    case "seesaw":
      return new THREE.Mesh(
        new RoundedBoxGeometry(2 * SEESAW.halfLength, 2 * SEESAW.halfHeight, 2.8, 3, 0.1),
        new THREE.MeshStandardMaterial({ color: SEESAW_COLOUR, roughness: 0.5 }),
      );
    case "gem": {
      const material = new THREE.MeshStandardMaterial({
        color: GEM_COLOUR,
        emissive: GEM_COLOUR,
        emissiveIntensity: 0.5,
        roughness: 0.1,
        flatShading: true,
      });
      return new THREE.Mesh(new THREE.OctahedronGeometry(0.6), material);
    }
  }
}

/** The floor with its depth: grass above, earth in front. */
function ground(): THREE.Mesh {
  const outline = new THREE.Shape();
  const end = HALF_WIDTH + 14;
  outline.moveTo(-end, BELOW);
  outline.lineTo(-end, heightAt(HALF_WIDTH) + 3);
  outline.lineTo(-HALF_WIDTH, heightAt(HALF_WIDTH) + 3);
  for (const [x, y] of FLOOR) outline.lineTo(x, y);
  outline.lineTo(HALF_WIDTH, heightAt(HALF_WIDTH) + 3);
  outline.lineTo(end, heightAt(HALF_WIDTH) + 3);
  outline.lineTo(end, BELOW);

  const shape = new THREE.ExtrudeGeometry(outline, { depth: FRONT - BACK, bevelEnabled: false });
  shape.translate(0, 0, BACK);
  const mesh = new THREE.Mesh(shape, [earthMaterial(), grassMaterial()]);
  mesh.receiveShadow = true;
  return mesh;
}

/** What stands behind the yard: the seesaw's foot, trees, and hills in the haze. */
function scenery(): THREE.Object3D[] {
  const made: THREE.Object3D[] = [];
  const foot = new THREE.Mesh(
    new THREE.CylinderGeometry(0.2, 0.9, SEESAW.y, 4),
    new THREE.MeshStandardMaterial({ color: 0x59616b, roughness: 0.6 }),
  );
  foot.position.set(SEESAW.x, SEESAW.y / 2 - 0.1, 0);
  foot.rotation.y = Math.PI / 4;
  foot.castShadow = true;
  made.push(foot);

  const bark = new THREE.MeshStandardMaterial({ color: 0x6d4a33, roughness: 1 });
  for (let i = 0; i < 12; i++) {
    const height = 3 + i * 7 % 5 * 0.5;
    const x = -22 + 4 * i + i * 5 % 3;
    const leaves = new THREE.MeshStandardMaterial({
      color: [0x3f8f5a, 0x58a45c][i % 2]!,
      roughness: 1,
    });
    const tree = new THREE.Group();
    const trunk = new THREE.Mesh(new THREE.CylinderGeometry(0.16, 0.22, 1.4, 7), bark);
    trunk.position.y = 0.7;
    const crown = new THREE.Mesh(new THREE.ConeGeometry(1.2, height, 8), leaves);
    crown.position.y = 1 + height / 2;
    for (const part of [trunk, crown]) part.castShadow = true;
    tree.add(trunk, crown);
    tree.position.set(x, heightAt(Math.max(-HALF_WIDTH, Math.min(HALF_WIDTH, x))), -4 - i % 3);
    made.push(tree);
  }

  const far = new THREE.MeshStandardMaterial({ color: 0x7fae7a, roughness: 1 });
  for (let i = 0; i < 7; i++) {
    const hill = new THREE.Mesh(new THREE.SphereGeometry(11 + i * 5 % 7, 24, 12), far);
    hill.scale.y = 0.55;
    hill.position.set(-48 + 16 * i, -5, -26 - i % 3 * 7);
    made.push(hill);
  }
  return made;
}
