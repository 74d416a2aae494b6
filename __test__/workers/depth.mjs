import { parentPort, workerData } from 'node:worker_threads';
import { ours } from '../readings.mjs';
import { outcomes } from './depth-cases.mjs';

parentPort.postMessage(outcomes(ours.find(({ name }) => name === workerData).H));
