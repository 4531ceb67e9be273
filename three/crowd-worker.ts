/** The worker of a crowd. */
import { serveSimulation } from '../host/line/worker-loop.js';
import { CrowdCore } from './crowd-core.js';

serveSimulation(CrowdCore.create);
