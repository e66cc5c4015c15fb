import { type DriftingOptions, receiveDrifting } from './drifting-reception.ts'

/** A process of its own, because its time is driven. It ends when the one that started it is gone. */
process.once('disconnect', () => process.exit(1))
const report = await receiveDrifting(JSON.parse(process.argv[2]!) as DriftingOptions)
process.send!(report, () => process.exit(0))
