export { FeedUnavailable } from '../../platform/feed/errors.ts'
