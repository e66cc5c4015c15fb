export { type CountingOptions, openPlayout } from './open-playout.ts'
export { playoutAddresses } from './playlist-address.ts'
