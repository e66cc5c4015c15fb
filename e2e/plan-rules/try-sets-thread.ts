import { parentPort, workerData } from 'node:worker_threads'
import { type SetRange, trySets } from './try-sets.ts'

/** Posts lines of the log, and in the end the result. */
parentPort!.postMessage(trySets(workerData as SetRange, (line) => parentPort!.postMessage(line)))
