/**
 * Types of the files that a view may import. Each value is the file's address; what may be done with
 * it follows from its kind. JSON needs no entry here: it is imported `with { type: "json" }`, and
 * a Tiled map `with { type: "text" }`.
 */

declare module "*.png" {
  const file: import("./game_files.ts").ImageFile;
  export default file;
}

declare module "*.webp" {
  const file: import("./game_files.ts").ImageFile;
  export default file;
}

declare module "*.svg" {
  const file: import("./game_files.ts").ImageFile;
  export default file;
}

declare module "*.ogg" {
  const file: import("./game_files.ts").SoundFile;
  export default file;
}

declare module "*.mp3" {
  const file: import("./game_files.ts").SoundFile;
  export default file;
}

declare module "*.wav" {
  const file: import("./game_files.ts").SoundFile;
  export default file;
}

declare module "*.woff2" {
  const file: import("./game_files.ts").FontFile;
  export default file;
}
