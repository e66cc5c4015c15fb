import { audience } from './audience/bench.ts'
import type { Bench } from './bench.ts'
import { catalog } from './catalog/bench.ts'
import { horizon } from './horizon/bench.ts'
import { http } from './http/bench.ts'
import { memory } from './memory/bench.ts'
import { packaging } from './packaging/bench.ts'
import { plan } from './plan/bench.ts'
import { playout } from './playout/bench.ts'
import { receiver } from './receiver/bench.ts'
import { render } from './render/bench.ts'
import { reports } from './reports/bench.ts'
import { session } from './session/bench.ts'

/** All benches of `npm run bench`. */
export const benches: readonly Bench[] = [
  audience,
  catalog,
  horizon,
  http,
  memory,
  packaging,
  plan,
  playout,
  receiver,
  render,
  reports,
  session,
]
