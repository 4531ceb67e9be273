/** The functions src/kernels/kernel-table.ts calls, under the same names. */
export { denseRows } from './dense-rows';
export { energyTets } from './energy';
export { latticeElastic, latticeLaplacian, latticeVolumes } from './lattice-cells';
export { latticeStiffness } from './lattice-stiffness';
export { latticeHold, latticeInertia, latticeLargest, latticeMove, latticeProlong, latticeProlongRows, latticeRelax, latticeRelaxRows, latticeRestrict, latticeRestrictRows, latticeSparse, latticeWeigh } from './lattice-vectors';
export { countInverted, localTets } from './local-tets';
export { dotOthers, mixRows } from './mix';
export { localNeoHookean } from './neo-hookean';
export { rotationBySvd } from './polar';
export { addScaledRows, dotRows, moveRows, sumCopies } from './rows';
export { factorSkyline, solveSixSkyline } from './skyline';
export { solveBackward, solveForward } from './solve';
export { svd3 } from './svd3';
