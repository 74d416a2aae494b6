// Verifies a record again and again until it is stopped.
import { parentPort, workerData } from 'node:worker_threads';
import { verifyJsonAsync } from 'tapeproof/verify';

const verify = () => verifyJsonAsync(workerData, 'k').then(verify);
for (let times = 0; times < 6; times++) verify();
parentPort.postMessage('started');
