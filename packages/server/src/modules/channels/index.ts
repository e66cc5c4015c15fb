export { isHeld } from './store.ts'
