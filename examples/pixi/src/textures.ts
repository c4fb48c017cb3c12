/** Pictures that the page paints itself, so that the example needs no files. */
import { Texture } from "pixi.js";

/** Paints on a square canvas. @param size pixels */
function painted(size: number, paint: (context: CanvasRenderingContext2D) => void): Texture {
  const canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = size;
  paint(canvas.getContext("2d")!);
  return Texture.from(canvas);
}

/** A soft white light that fades from its middle. */
export function lightTexture(): Texture {
  return painted(128, (context) => {
    const light = context.createRadialGradient(64, 64, 0, 64, 64, 64);
    light.addColorStop(0, "rgb(255 255 255 / 100%)");
    light.addColorStop(0.25, "rgb(255 255 255 / 45%)");
    light.addColorStop(1, "rgb(255 255 255 / 0%)");
    context.fillStyle = light;
    context.fillRect(0, 0, 128, 128);
  });
}

/** Ripples that continue at the edges, so that copies of them make a surface. */
export function ripplesTexture(): Texture {
  return painted(256, (context) => {
    context.lineWidth = 2;
    for (let i = 0; i < 46; i++) {
      // A fixed pattern that looks like none
      const x = i * 97 % 256;
      const y = i * 151 % 256;
      const width = 14 + i * 37 % 34;
      context.strokeStyle = `rgb(150 215 255 / ${4 + i % 4 * 3}%)`;
      for (const left of [x - 256, x]) {
        for (const top of [y - 256, y]) {
          context.beginPath();
          context.ellipse(left, top, width, width / 5, 0, 0.15 * Math.PI, 0.85 * Math.PI);
          context.stroke();
        }
      }
    }
  });
}
