export { programDetails } from './program-details.ts'
