/** The page's worker. */
import { serveSimulation } from '../../host/line/worker-loop.js';
import { listScenes } from './page-scenes.js';
import { Simulation } from './simulation.js';

serveSimulation(Simulation.create, (question) => (question === 'scenes' ? listScenes() : undefined));
