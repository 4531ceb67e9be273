/**
 * The turn about a middle x̄ that leaves a body, or bodies that hang together, without a moment that nothing explains: with M = Σ m (y − x̄)(x − x̄)ᵀ, y where inertia leads
 * and x where the step ends, Q such that M Qᵀ is symmetric, by Newton's method. Of all turned positions those cost least, because nothing inside knows how it is turned.
 */
import { multiplyMat3Vec3, setMat3, traceMat3 } from '../math/mat3.js';
import { invertMat3 } from '../math/mat3-inverse.js';
import { multiplyTransposeMat3 } from '../math/mat3-product.js';
import { identityQuat, quatToMat3 } from '../math/quat.js';
import { turnQuat } from '../math/rotation.js';
import { lengthSqVec3, setVec3 } from '../math/vec3.js';

/** Share of the trace added to what resists turning: a body that is a line says nothing of turns about itself. */
const LINE = 1e-8;
/** Newton steps for the turn, at most: the first leaves its square. */
const TURNS = 8;
/** A turn that is rounding [rad²]. */
const ROUNDING = 1e-32;

/** One turn; owns the scratch for it. */
export class WholeTurn {
  /** x̄ and M: to be filled. */
  readonly centre = new Float64Array(3);
  readonly inertial = new Float64Array(9);
  /** Q, once found. */
  readonly quat = new Float64Array(4);
  readonly #turned = new Float64Array(9);
  readonly #resistance = new Float64Array(9);
  readonly #inverse = new Float64Array(9);
  readonly #rotation = new Float64Array(9);
  readonly #moment = new Float64Array(3);
  readonly #step = new Float64Array(3);

  /** Finds the turn that leaves no moment; false where there is none to make. */
  find(): boolean {
    identityQuat(this.quat, 0);
    let isAny = true;
    for (let n = 0; n < TURNS; n++) {
      this.#nextTurn();
      const square = lengthSqVec3(this.#step, 0);
      // beyond a radian the linearisation says nothing
      if (!(square > ROUNDING && square < 1)) {
        isAny = n > 0;
        break;
      }
      turnQuat(this.quat, 0, this.#step, 0);
    }
    if (isAny) this.#setRotation();
    return isAny;
  }

  /** Turns the points that begin at every `stride`-th of `length` numbers. */
  turnPoints(at: Float64Array, stride: number, length: number): void {
    const r = this.#rotation;
    const cx = this.centre[0];
    const cy = this.centre[1];
    const cz = this.centre[2];
    for (let o = 0; o < length; o += stride) {
      const x = at[o] - cx;
      const y = at[o + 1] - cy;
      const z = at[o + 2] - cz;
      at[o] += r[0] * x + r[1] * y + r[2] * z;
      at[o + 1] += r[3] * x + r[4] * y + r[5] * z;
      at[o + 2] += r[6] * x + r[7] * y + r[8] * z;
    }
  }

  /** out = how far the whole turns for a moment, without the time squared; zero where it does not resist. */
  giveWay(out: Float64Array): void {
    this.#turned.set(this.inertial);
    this.#setResistance();
    if (!invertMat3(out, 0, this.#resistance, 0)) out.fill(0);
  }

  /** out = the moment that is left without a turn, times a time squared. */
  moment(out: Float64Array): void {
    const m = this.inertial;
    setVec3(out, 0, m[7] - m[5], m[2] - m[6], m[3] - m[1]);
  }

  /** One Newton step from the turn so far: (tr M − M) ω = the moment that is left; ω is 0 where there is nothing to turn. */
  #nextTurn(): void {
    const m = this.#turned;
    quatToMat3(this.#rotation, 0, this.quat, 0);
    multiplyTransposeMat3(m, 0, this.inertial, 0, this.#rotation, 0);
    setVec3(this.#moment, 0, m[7] - m[5], m[2] - m[6], m[3] - m[1]);
    this.#setResistance();
    if (invertMat3(this.#inverse, 0, this.#resistance, 0)) {
      multiplyMat3Vec3(this.#step, 0, this.#inverse, 0, this.#moment, 0);
    } else this.#step.fill(0);
  }

  /** tr M − M, symmetric. */
  #setResistance(): void {
    const m = this.#turned;
    const trace = traceMat3(m, 0);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) this.#resistance[i * 3 + j] = -0.5 * (m[i * 3 + j] + m[j * 3 + i]);
      this.#resistance[i * 4] += (1 + LINE) * trace;
    }
  }

  /** Q − 1, which is added to positions: far from the origin digits stay. */
  #setRotation(): void {
    const x = this.quat[0];
    const y = this.quat[1];
    const z = this.quat[2];
    const w = this.quat[3];
    setMat3(
      this.#rotation,
      0,
      -2 * (y * y + z * z),
      2 * (x * y - w * z),
      2 * (x * z + w * y),
      2 * (x * y + w * z),
      -2 * (x * x + z * z),
      2 * (y * z - w * x),
      2 * (x * z - w * y),
      2 * (y * z + w * x),
      -2 * (x * x + y * y),
    );
  }
}
