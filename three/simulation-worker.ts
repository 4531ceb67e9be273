/** The worker of a soft body. */
import { serveSimulation } from '../host/line/worker-loop.js';
import { SimulationCore } from './simulation-core.js';

serveSimulation(SimulationCore.create);
