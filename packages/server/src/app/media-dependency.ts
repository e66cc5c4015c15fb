import type { Dependency } from '../http/health.ts'
import type { MediaStore } from '../platform/media-store/media-store.ts'

/** Never stored: a request for it shows whether the store answers. */
const NO_OBJECT = 'ping/none.json'

/** Not required: all processes share the store, so that without it every one would leave its balancer at once. */
export function mediaDependency(store: MediaStore): Dependency {
  return { name: 'media_store', isRequired: false, ping: async () => void (await store.has(NO_OBJECT)) }
}
