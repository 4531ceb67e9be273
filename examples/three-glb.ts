/** From a rigged GLB to a soft body in a three.js scene. The page that shows it is three-glb.html. */
import { SoftCharacter } from 'tendon/three';
import { HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from 'three';

const renderer = new WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const camera = new PerspectiveCamera(45, innerWidth / innerHeight).translateZ(3);
const character = await SoftCharacter.load('character.glb');
const scene = new Scene().add(new HemisphereLight('white', 'tan', 3), character);
let last = performance.now();
renderer.setAnimationLoop((now) => {
  character.step((now - last) / 1000);
  renderer.render(scene, camera);
  last = now;
});
