export { cancelRequestOf } from './cancel-request.ts'
export { listOverlapping } from './request-store.ts'
