/** Surfaces that the page paints itself, so that the example needs no files. */
import * as THREE from "three";

function painted(
  [width, height]: readonly [number, number],
  paint: (context: CanvasRenderingContext2D) => void,
): THREE.CanvasTexture {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  paint(canvas.getContext("2d")!);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

/** Glass with swirls in a player's colour, so that one sees it roll. */
export function marbleMaterial(colour: string): THREE.Material {
  const map = painted([256, 128], (context) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 256, 128);
    context.lineWidth = 15;
    for (let i = 0; i < 4; i++) {
      context.strokeStyle = i % 2 === 0 ? "rgb(255 255 255 / 85%)" : "rgb(20 24 40 / 55%)";
      context.beginPath();
      for (let y = -8; y <= 136; y += 8) {
        context.lineTo(64 * i + 20 + 18 * Math.sin(y / 22 + i), y);
      }
      context.stroke();
    }
  });
  return new THREE.MeshStandardMaterial({ map, roughness: 0.12, metalness: 0.05 });
}

/** Letters on a plate that faces the camera. */
export function nameSprite(words: string, isOwn: boolean): THREE.Sprite {
  const map = painted([512, 96], (context) => {
    context.font = `${isOwn ? 700 : 500} 56px system-ui, sans-serif`;
    context.textAlign = "center";
    context.lineWidth = 8;
    context.strokeStyle = "rgb(20 40 60 / 55%)";
    context.strokeText(words, 256, 68);
    context.fillStyle = isOwn ? "#ffffff" : "#f4f7fa";
    context.fillText(words, 256, 68);
  });
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false }));
  sprite.scale.set(4, 0.75, 1);
  sprite.renderOrder = 2;
  return sprite;
}

/** Earth in layers, with stones. */
export function earthMaterial(): THREE.Material {
  const map = painted([256, 256], (context) => {
    ["#8a5f3d", "#7d5537", "#946845", "#80583a"].forEach((colour, layer) => {
      context.fillStyle = colour;
      context.fillRect(0, 64 * layer, 256, 64);
    });
    for (let i = 0; i < 40; i++) {
      context.fillStyle = i % 2 === 0 ? "rgb(60 38 24 / 45%)" : "rgb(214 180 140 / 40%)";
      context.beginPath();
      context.ellipse(i * 89 % 244 + 6, i * 53 % 244 + 6, 3 + i % 4, 2 + i % 3, 0, 0, 2 * Math.PI);
      context.fill();
    }
  });
  map.wrapS = map.wrapT = THREE.RepeatWrapping;
  map.repeat.set(0.2, 0.2);
  return new THREE.MeshStandardMaterial({ map, roughness: 1 });
}

/** Stripes of grass along the yard. */
export function grassMaterial(): THREE.Material {
  const map = painted([64, 64], (context) => {
    context.fillStyle = "#7fbf62";
    context.fillRect(0, 0, 64, 64);
    context.fillStyle = "#74b35a";
    context.fillRect(0, 0, 32, 64);
  });
  map.wrapS = map.wrapT = THREE.RepeatWrapping;
  map.repeat.set(0.25, 0.25);
  return new THREE.MeshStandardMaterial({ map, roughness: 0.95 });
}
