/**
 * Lets authors take methods out of their object. JavaScript gives a method its object only where
 * both stand together, as in `world.emit(…)`, which newcomers who write `({ emit }) => emit(…)` do
 * not expect.
 */

/**
 * Binds all methods of an object's class to it, so that rules and views may write `({ match, emit
 * }, me) => …`. Without it, a verb that was taken out would fail with words about a private field.
 */
export function bindMethods(object: object): void {
  const prototype = Object.getPrototypeOf(object);
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const { value } = Object.getOwnPropertyDescriptor(prototype, name)!;
    if (name === "constructor" || typeof value !== "function") continue;
    // A plain property, because a call through it costs nothing more.
    Object.defineProperty(object, name, { value: value.bind(object) });
  }
}
