/**
 * Draws rollback in one picture: your page's ticks, the server's, and a rival's key that is still on
 * its way. The style sheet moves it, unless the visitor wants no motion.
 *
 *     you      ✓ ✓ ✓ ✓ ▢ ▢ ▢ ▢      proven, then predicted; an arrow leads back to the last proven one
 *     server   ✓ ✓ ✓ ✓              sends each tick with its hash
 *     rival            ●            the key that the page guessed
 */

const NAMESPACE = "http://www.w3.org/2000/svg";
/** The picture in its own units. */
const WIDTH = 400;
const HEIGHT = 190;
/** A tick as a chip, from the left edge of the first one. */
const CHIP = { width: 28, height: 22, pitch: 38, left: 72 };
const ROWS = { you: 58, server: 114, rival: 170 };
const PROVEN = 4;
const PREDICTED = 4;
const LABEL =
  "Your page is four ticks ahead of the server. The server's tick and its hash prove a tick of yours. " +
  "A rival's key that was guessed wrong leads back to the last proven tick, from where all is simulated again.";

export function drawing(): SVGElement {
  const picture = shape("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: "img",
    "aria-label": LABEL,
  });

  // Whose ticks they are
  picture.append(
    words("you", { x: 0, y: ROWS.you + 5 }),
    words("server", { x: 0, y: ROWS.server + 5 }),
    words("a rival", { x: 0, y: ROWS.rival + 5 }),
  );

  // Ticks that are proven, and those that this page predicts
  for (let i = 0; i < PROVEN + PREDICTED; i++) {
    const isProven = i < PROVEN;
    picture.append(chip(i, ROWS.you, isProven ? "proven" : "predicted"));
    if (!isProven) continue;
    picture.append(chip(i, ROWS.server, "proven"));
    picture.append(words("✓", { x: middleOf(i), y: ROWS.you + 5, className: "mark" }));
    picture.append(words("✓", { x: middleOf(i), y: ROWS.server + 5, className: "mark" }));
  }

  // The tick for which the server waits
  picture.append(chip(PROVEN, ROWS.server, "coming"));

  // The way of the server's tick, of the own key, and of the rival's
  const last = PROVEN - 1;
  const head = PROVEN + PREDICTED - 1;
  picture.append(
    way("tick", `M${middleOf(last)} ${ROWS.server - 14} V${ROWS.you + 16}`),
    way("key", `M${middleOf(head)} ${ROWS.you + 14} L${middleOf(PROVEN) + 12} ${ROWS.server - 13}`),
    way("key", `M${CHIP.left} ${ROWS.rival} H${middleOf(last)} V${ROWS.server + 16}`),
    dot("own", `M${middleOf(head)} ${ROWS.you + 14} L${middleOf(PROVEN) + 12} ${ROWS.server - 13}`),
    dot("rival", `M${CHIP.left} ${ROWS.rival} H${middleOf(last)} V${ROWS.server + 16}`),
    words("tick + hash", { x: middleOf(last) - 8, y: 90, className: "end" }),
    words("your key", { x: WIDTH, y: 96, className: "end" }),
    words("a key guessed wrong", { x: middleOf(last) + 14, y: ROWS.rival + 5 }),
  );

  // Back to the last proven tick, and to the present again
  const top = ROWS.you - 15;
  picture.append(
    way(
      "back",
      `M${middleOf(head)} ${top} C${middleOf(head)} 14 ${middleOf(last)} 14 ${
        middleOf(last)
      } ${top}`,
    ),
    shape("path", {
      class: "head back",
      d: `M${middleOf(last) - 5} ${top - 7} L${middleOf(last)} ${top} L${middleOf(last) + 6} ${
        top - 6
      }`,
    }),
    words("roll back, simulate again", { x: middleOf(head) + 20, y: 12, className: "end back" }),
  );
  return picture;
}

function middleOf(index: number): number {
  return CHIP.left + index * CHIP.pitch + CHIP.width / 2;
}

function chip(index: number, y: number, className: string): SVGElement {
  return shape("rect", {
    class: className,
    x: CHIP.left + index * CHIP.pitch,
    y: y - CHIP.height / 2,
    width: CHIP.width,
    height: CHIP.height,
    rx: 5,
  });
}

function way(className: string, d: string): SVGElement {
  return shape("path", { class: `way ${className}`, d });
}

/** A command that travels along a path. */
function dot(className: string, d: string): SVGElement {
  const circle = shape("circle", { class: `dot ${className}`, r: 5 });
  circle.style.offsetPath = `path("${d}")`;
  return circle;
}

function words(
  textContent: string,
  { x, y, className = "" }: { x: number; y: number; className?: string },
): SVGElement {
  const text = shape("text", { x, y, class: className });
  text.textContent = textContent;
  return text;
}

function shape(tag: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(NAMESPACE, tag) as SVGElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  return element;
}
