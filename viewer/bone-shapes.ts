/** Bones as solids for the overlay: the same for the viewer and for `tendon/three`. */
export { buildBoneShapes } from '../three/bone-shapes.js';
