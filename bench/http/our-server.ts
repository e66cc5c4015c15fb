import { serveBenched } from '../engine/benched-api.ts'

/** A public operation. */
await serveBenched('public', () => ({ kind: 'rejected', reason: 'invalid' }))
