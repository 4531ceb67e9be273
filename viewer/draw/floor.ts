/** The floor: a faint grid that fades into the background, and the shadows that fall on it. */
import {
  CircleGeometry,
  Color,
  DoubleSide,
  Group,
  Mesh,
  MeshBasicMaterial,
  ShaderMaterial,
  ShadowMaterial,
  Vector3,
} from 'three';

const VERTEX = /* glsl */ `
varying vec3 place;
void main() {
  place = (modelMatrix * vec4(position, 1.0)).xyz;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 1.0);
}
`;

const FRAGMENT = /* glsl */ `
uniform vec3 colour;
uniform vec3 middle;
uniform float cell;
uniform float radius;
uniform float strength;
varying vec3 place;
void main() {
  vec2 grid = place.xz / cell;
  vec2 width = fwidth(grid);
  vec2 line = smoothstep(width * 1.5, vec2(0.0), abs(fract(grid - 0.5) - 0.5));
  // Where lines come closer than a few pixels they would flicker: let them go.
  line *= 1.0 - smoothstep(0.15, 0.5, width);
  float fade = 1.0 - smoothstep(0.25, 1.0, distance(place.xz, middle.xz) / radius);
  gl_FragColor = vec4(colour, max(line.x, line.y) * fade * strength);
}
`;

/** A floor that can be moved and recoloured. */
export class Floor extends Group {
  readonly #grid: ShaderMaterial;
  readonly #shadow: ShadowMaterial;
  /** Hides from above what obstacles have below a floor that is solid: there is only background. */
  readonly #cover: Mesh;

  constructor() {
    super();
    this.#grid = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        colour: { value: new Color() },
        middle: { value: new Vector3() },
        cell: { value: 0.1 },
        radius: { value: 1 },
        strength: { value: 0.3 },
      },
    });
    this.#shadow = new ShadowMaterial({ opacity: 0.3, depthWrite: false });
    const disc = new CircleGeometry(1, 64).rotateX(-Math.PI / 2);
    const grid = new Mesh(disc, this.#grid);
    const shadow = new Mesh(disc, this.#shadow);
    shadow.receiveShadow = true;
    // A little further away than it is, so that it does not flicker with what lies on it.
    const hide = new MeshBasicMaterial({ colorWrite: false, polygonOffset: true, polygonOffsetFactor: 1 });
    hide.polygonOffsetUnits = 4;
    this.#cover = new Mesh(disc, hide);
    this.#cover.renderOrder = -3;
    // Both lie at the same height and write no depth; the order decides, so nothing flickers.
    grid.renderOrder = -2;
    shadow.renderOrder = -1;
    this.add(this.#cover, grid, shadow);
  }

  /** Puts the floor at a height, as wide as a scene of this size needs [m]. `solid`: nothing is below it. */
  place(middle: Vector3, height: number, size: number, solid: boolean): void {
    this.#cover.visible = solid;
    const radius = 4 * size;
    this.position.set(middle.x, height, middle.z);
    this.scale.setScalar(radius);
    this.#grid.uniforms.middle.value.copy(middle);
    this.#grid.uniforms.radius.value = radius;
    this.#grid.uniforms.cell.value = roundLength(size / 3);
  }

  setColours(line: Color, shadow: Color, dark: boolean): void {
    this.#grid.uniforms.colour.value.copy(line);
    this.#grid.uniforms.strength.value = dark ? 0.1 : 0.13;
    this.#shadow.color.copy(shadow);
    this.#shadow.opacity = dark ? 0.55 : 0.24;
  }
}

/** The nearest of 1, 2 or 5 times a power of ten. */
function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return (
    power *
    [1, 2, 5, 10].reduce((best, step) => {
      return Math.abs(step - length / power) < Math.abs(best - length / power) ? step : best;
    })
  );
}
