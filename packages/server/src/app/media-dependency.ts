import type { Dependency } from '../http/health.ts'
import type { MediaStore } from '../platform/media-store/media-store.ts'

/** Never stored: looking it up shows whether the store answers. */
const NO_OBJECT = 'ping/none.json'

/** Not required: all processes share the store, so without it all of them would become unready at once. */
export function mediaDependency(store: MediaStore): Dependency {
  return { name: 'media_store', isRequired: false, ping: async () => void (await store.has(NO_OBJECT)) }
}
