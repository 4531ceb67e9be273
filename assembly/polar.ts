/** The rotation closest to a 3x3 matrix, as a quaternion, through the full SVD: slow, and right from any start. */
import { svd3 } from './svd3';

/** F: nine f32, 16 bytes apart, at `f`. Writes w, x, y, z as f32, 16 bytes apart, at `q`. `work` holds 30 f64. */
export function rotationBySvd(f: usize, q: usize, work: usize): void {
  for (let n: usize = 0; n < 9; n++) store<f64>(work + n * 8, f64(load<f32>(f + n * 16)));
  svd3(work);
  const v = work + 72, r = work + 168;
  for (let row: usize = 0; row < 3; row++) {
    for (let column: usize = 0; column < 3; column++) {
      const a = work + row * 24, b = v + column * 24;
      store<f64>(r + (row * 3 + column) * 8, load<f64>(a) * load<f64>(b) + load<f64>(a, 8) * load<f64>(b, 8) + load<f64>(a, 16) * load<f64>(b, 16));
    }
  }
  quaternionOf(r, q);
}

/** Quaternion of the rotation matrix at `m`; divides by the largest component, so no case loses digits. */
function quaternionOf(m: usize, q: usize): void {
  const m00 = load<f64>(m), m11 = load<f64>(m, 32), m22 = load<f64>(m, 64);
  let w: f64, x: f64, y: f64, z: f64;
  const yz = load<f64>(m, 56) - load<f64>(m, 40); // m21 − m12
  const zx = load<f64>(m, 16) - load<f64>(m, 48); // m02 − m20
  const xy = load<f64>(m, 24) - load<f64>(m, 8); // m10 − m01
  if (m00 + m11 + m22 > 0) {
    w = m00 + m11 + m22 + 1; x = yz; y = zx; z = xy;
  } else if (m00 >= m11 && m00 >= m22) {
    x = 1 + m00 - m11 - m22; w = yz; y = load<f64>(m, 8) + load<f64>(m, 24); z = load<f64>(m, 16) + load<f64>(m, 48);
  } else if (m11 >= m22) {
    y = 1 + m11 - m00 - m22; w = zx; x = load<f64>(m, 8) + load<f64>(m, 24); z = load<f64>(m, 40) + load<f64>(m, 56);
  } else {
    z = 1 + m22 - m00 - m11; w = xy; x = load<f64>(m, 16) + load<f64>(m, 48); y = load<f64>(m, 40) + load<f64>(m, 56);
  }
  const scale = 1 / sqrt(w * w + x * x + y * y + z * z);
  store<f32>(q, f32(w * scale));
  store<f32>(q, f32(x * scale), 16);
  store<f32>(q, f32(y * scale), 32);
  store<f32>(q, f32(z * scale), 48);
}
