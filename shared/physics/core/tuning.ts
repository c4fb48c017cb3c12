/**
 * The constants of the solver and of the narrow phase, with Box2D's names and the values of planck
 * 1.5.0. Metres, radians, seconds.
 */

/** b2_linearSlop: an overlap that the solver leaves, so that resting contacts persist. */
export const LINEAR_SLOP = 0.005;
/** b2_angularSlop: the same for the limits of joints. */
export const ANGULAR_SLOP = 2 / 180 * Math.PI;
/** b2_polygonRadius: the skin of polygons and edges. */
export const POLYGON_RADIUS = 2 * LINEAR_SLOP;
/**
 * b2_maxLinearCorrection, b2_maxAngularCorrection: the largest correction in one position
 * iteration.
 */
export const MAX_LINEAR_CORRECTION = 0.2;
export const MAX_ANGULAR_CORRECTION = 8 / 180 * Math.PI;
/**
 * Metres and radians by which a body may end a world step away from where it began. A joint to a
 * body that was teleported moves it so far; nothing but a position solver that diverges moves it
 * farther.
 */
export const THROW_MAX = 100;
export const THROWN_TURN_MAX = 1e4;
/**
 * m/s. Slower pairs do not bounce, or nothing would come to rest. A pair that parts at this speed
 * leaves an overlap of 10 mm within a step of 25 ms. So the position solver need not push it, which
 * would add energy. Box2D has 1 m/s.
 */
export const BOUNCING_SPEED_MIN = 0.4;
/** m/s. Slower hits of projectiles do not bounce: b2_velocityThreshold. */
export const PROJECTILE_BOUNCING_SPEED_MIN = 1;
/**
 * b2_maxTranslation, b2_maxRotation: the largest motion of one world step, unless a stage declares
 * another one.
 */
export const MAX_TRANSLATION = 2;
export const MAX_ROTATION = 0.5 * Math.PI;
/** A motion that is faster than its limit by less than this share has only been rounded. */
export const SPEED_TOLERANCE = 1 - 1e-6;
/** b2_baumgarte, b2_toiBaumgarte: the share of an overlap that one position iteration corrects. */
export const BAUMGARTE = 0.2;
export const TOI_BAUMGARTE = 0.75;
/** b2_timeToSleep, and the speeds below which a body rests, in m/s and rad/s. */
export const TIME_TO_SLEEP_S = 0.5;
/**
 * A body that gains speed while it is slow is not at rest: a ball at the top of its way up a slope.
 * It sleeps after this time instead. With more than these accelerations, in m/s² and rad/s², it is
 * then past the speeds of rest, because it has gone from minus to plus one of them: 2 · 0.01 m/s in
 * 1 s.
 */
export const TIME_TO_SLEEP_MAX_S = 1;
export const REST_ACCELERATION_MAX = 0.02;
export const REST_ANGULAR_ACCELERATION_MAX = 4 / 180 * Math.PI;
export const LINEAR_SLEEP_TOLERANCE = 0.01;
export const ANGULAR_SLEEP_TOLERANCE = 2 / 180 * Math.PI;
/** The iterations that Box2D's manual recommends. With fewer, stacks creep. */
export const VELOCITY_ITERATIONS = 8;
export const POSITION_ITERATIONS = 3;
/** b2_maxSubSteps: times of impact of one contact within a world step. */
export const IMPACTS_MAX = 8;
/** planck's EPSILON: shorter vectors have no direction. */
export const EPSILON = 1e-9;
