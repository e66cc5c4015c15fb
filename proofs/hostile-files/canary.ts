export { startCanary } from '../shared/canaries.ts'
