/** The walk of the broad phase along a strip: what `#sweep` of src/solvers/coupled/contacts/broad-phase.ts does, four questions at once. A box, 64 bytes: lowest and highest x | lowest y, z | highest y, z | whether its body can move and has, whose it is. */

const BOX: usize = 64;
/** Of a pair of which one can move and one has. */
const BOTH: u32 = 3;

/** Notes the pairs among `count` boxes in the order of their lowest x, as lower bodies at `first` and higher ones at `second`, from number `found` on, as far as there is `room`; how many there are then. What begins before `edge` along z, both of them, belongs to another strip. */
export function sweepBoxes(boxes: usize, count: usize, edge: f64, first: usize, second: usize, found: u32, room: u32): u32 {
  const end = boxes + count * BOX;
  for (let box = boxes; box < end; box += BOX) {
    const far = load<f64>(box, 8), low = v128.load(box, 16), high = v128.load(box, 32);
    const moves = load<u32>(box, 48), who = load<u32>(box, 52);
    const isBefore = load<f64>(box, 24) < edge;
    for (let other = box + BOX; other < end; other += BOX) {
      if (load<f64>(other) > far) break;
      if (v128.any_true(v128.or(f64x2.gt(v128.load(other, 16), high), f64x2.gt(low, v128.load(other, 32))))) continue;
      if ((moves | load<u32>(other, 48)) != BOTH || (isBefore && load<f64>(other, 24) < edge)) continue;
      const whose = load<u32>(other, 52);
      if (found < room) {
        store<u32>(first + found * 4, min(who, whose));
        store<u32>(second + found * 4, max(who, whose));
      }
      found++;
    }
  }
  return found;
}
