export { type FailedProgram, listFailedPrograms, listRequestsOfPrograms } from './request-store.ts'
