import { parentPort, workerData } from 'node:worker_threads'
import { readGuideFile } from './guide-files.ts'
import { type GuideQuery, renderGuide } from './render-guide.ts'

/** The thread of `render-in-thread.ts`: renders one guide after another. */
const { folder } = workerData as { readonly folder: string }

parentPort?.on('message', (query: GuideQuery) => {
  void readGuideFile(folder, query.channel.channelId)
    .then((planned) => ({ bytes: renderGuide(query, planned) }))
    .catch((error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }))
    .then((result) => parentPort?.postMessage(result))
})
