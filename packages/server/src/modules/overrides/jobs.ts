import type { ScheduleDeps } from '../schedule/index.ts'
import { autoSwitch } from './auto-switch.ts'

export const overrideJobs = (deps: ScheduleDeps) => ({ auto_switch: autoSwitch(deps) })
