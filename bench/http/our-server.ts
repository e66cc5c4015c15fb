import { serveBenched } from '../engine/benched-api.ts'

/** Anybody may call. */
await serveBenched('public', () => ({ kind: 'refused', reason: 'invalid' }))
