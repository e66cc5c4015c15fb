export { makeCanaryFiles } from '../shared/canaries.ts'
