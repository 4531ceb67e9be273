/**
 * The public API of `tendon/scene-file`: scenes as JSON files. Apart from `tendon` itself, because it brings a library that checks
 * files with it, which a page that writes its scenes in code does not need.
 * @module tendon/scene-file
 */

export { type BodyLoader, readScene } from './scene-file/read-scene.js';
export { writeScene } from './scene-file/write-scene.js';
