/** The public API of Tendon. Every name a user may rely on is exported here and nowhere else. */
export { TendonError, type TendonErrorCode } from './errors.js';
