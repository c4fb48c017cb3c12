/**
 * How the dragon game's page differs from the page that every game has by convention
 * (`client/build/game_page.ts`).
 */
import type { PageDifferences } from "../../build/page_source.ts";

export const page: PageDifferences = {
  texts: {
    title: "Wyvern: joust on dragons",
    name: "Dragons",
    description: "Joust on dragons in the browser: the higher lance wins.",
    arena: "The arena, where dragons joust",
    heading: "Wyvern",
    pitch: "Flap up, come down on a rival:",
    point: "the higher lance wins.",
    ownBody: "Your dragon",
    noRooms: "Nobody is playing now. Press Play now, and computer dragons fly with you.",
    rules: [
      "Touch a rival with your lance higher than his: 2 points. Level lances only clash.",
      "His rider is an egg now: 1 point to whoever touches it, 2 in the air. Left alone, it hatches.",
      "Your fire knocks a rider off, too: 1 point. The flames under you are what you have; one is back in 2 seconds.",
      "Best of three rounds of 90 seconds, as long as the room wants no other number. A tie goes on: the next lead wins.",
      "Each round has another arena and mode. Egg Rush: eggs alone count. Capture: bring the golden egg to your colour's edge. Storm Walls: keep out of the wind.",
      "Ram or shoot down a chest, and touch what was in it: fire uses your bow, scatter or boost; a shield takes one blow by itself.",
      "In lava a hand grips you: flap five times. After a minute the Wyrm comes: a lance into its jaws is 3 points, any other touch costs your rider.",
    ],
    oneButton: "One button: tap to flap, hold to turn round, hold longer to breathe fire",
    devices:
      "A gamepad works as it is: stick or cross to fly, the lower button to flap, the left one for fire. " +
      "On a touch screen the left thumb flies, the right one flaps.",
  },
};
