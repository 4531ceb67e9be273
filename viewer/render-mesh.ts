/** The surface of a body as it is drawn: the same for the viewer and for `tendon/three`. */
export { buildRenderMesh, type RenderMesh, writeSurface } from '../three/render-mesh.js';
