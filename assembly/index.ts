/** The functions src/kernels/kernel-table.ts calls, under the same names. */
export { countInverted, localTets } from './local-tets';
export { rotationBySvd } from './polar';
export { addScaledRows, dotRows, moveRows, sumCopies } from './rows';
export { solveBackward, solveForward } from './solve';
export { svd3 } from './svd3';
