export { namedMedia } from './named-media.ts'
