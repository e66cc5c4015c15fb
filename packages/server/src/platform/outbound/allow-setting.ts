import type { Setting } from '../config/setting.ts'
import { type AllowList, readAllowList } from './allow-list.ts'

const FORM = 'comma-separated HOST:PORT such as 127.0.0.1:9000, [::1]:9001 or media.internal:443'

/** The setting of an allow list; nothing is allowed by default. */
export const allowSetting = (name: string, options: { readonly about: string }): Setting<AllowList> => ({
  name,
  about: options.about,
  form: FORM,
  fallback: [],
  isSecret: false,
  parse(text) {
    const read = readAllowList(text)
    if (read.kind === 'read') return { value: read.allow }
    return { fault: `must be ${FORM}: ${read.faults.join('; ')}` }
  },
})
