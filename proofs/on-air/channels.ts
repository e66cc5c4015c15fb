export * from '../shared/on-air-system.ts'
export { PATIENCE_MS } from '../shared/until.ts'
