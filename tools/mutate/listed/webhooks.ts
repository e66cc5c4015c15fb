import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src/webhooks'
const server = 'packages/server/src/modules/webhooks'
const tests = [`${server}/deliveries.db.test.ts`, `${server}/webhooks.db.test.ts`]
const fanOutTests = [`${server}/fan-out.db.test.ts`]
const retryTests = [`${core}/webhooks.test.ts`]

export const webhookMutants: ListedMutants = {
  area: 'webhooks',
  mutants: [
    {
      id: 'wh01',
      title: 'a kind that begins like a followed one is delivered',
      change: { file: `${core}/kind-filter.ts`, from: ': kind === each', to: ': kind.startsWith(each)' },
      tests: retryTests,
    },
    {
      id: 'wh02',
      title: 'retries have no longest pause',
      change: {
        file: `${core}/retry.ts`,
        from: 'Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)',
        to: 'FIRST_PAUSE_MS * 2 ** (attempts - 1)',
      },
      tests: retryTests,
    },
    {
      id: 'wh03',
      title: 'retries have no jitter',
      change: { file: `${core}/retry.ts`, from: '(1 - JITTER + 2 * JITTER * chance)', to: '1' },
      tests: retryTests,
    },
    {
      id: 'wh04',
      title: 'one failure pauses an endpoint',
      change: { file: `${core}/retry.ts`, from: 'failures < FREE_FAILURES', to: 'failures < 1' },
      tests: retryTests,
    },
    {
      id: 'wh05',
      title: 'a redirect counts as delivered',
      change: {
        file: `${server}/record-outcome.ts`,
        from: 'attempt.status <= 299',
        to: 'attempt.status <= 399',
      },
      tests,
    },
    {
      id: 'wh06',
      title: '410 is retried like any other failure',
      change: { file: `${server}/record-outcome.ts`, from: 'attempt.status === GONE || nowMs', to: 'nowMs' },
      tests,
    },
    {
      id: 'wh07',
      title: 'an endpoint is paused by a failure that was over',
      change: {
        file: `${server}/record-outcome.ts`,
        from: 'progress === undefined || progress.failures === 0',
        to: 'progress === undefined',
      },
      tests,
    },
    {
      id: 'wh08',
      title: 'the signature is of the body alone',
      change: {
        file: `${server}/signature.ts`,
        from: `.update(\`\${id}.\${timestamp}.\${body}\`)`,
        to: '.update(body)',
      },
      tests,
    },
    {
      id: 'wh09',
      title: 'only the new secret signs during a rotation',
      change: { file: `${server}/signature.ts`, from: "signatures.join(' ')", to: 'signatures[0]!' },
      tests,
    },
    {
      id: 'wh10',
      title: 'the second event of a subject does not wait for the first',
      change: { file: `${server}/fan-out.ts`, from: 'waiting.add(subject)', to: '' },
      tests,
    },
    {
      id: 'wh11',
      title: 'an event is delivered twice after a crash',
      change: {
        file: `${server}/fan-out.ts`,
        from: 'events.filter(({ eventId }) => !known.has(eventId))',
        to: 'events',
      },
      tests: fanOutTests,
    },
    {
      id: 'wh12',
      title: 'a worker without the lease creates deliveries',
      change: { file: `${server}/fan-out.ts`, from: '|| progress.lease !== lease', to: '' },
      tests: fanOutTests,
    },
    {
      id: 'wh13',
      title: 'events from before a webhook was created are delivered',
      change: {
        file: `${server}/fan-out.ts`,
        from: 'atMs >= progress.fromMs && followsKind',
        to: 'followsKind',
      },
      tests: fanOutTests,
    },
    {
      id: 'wh14',
      title: 'a turn continues after a failure',
      change: {
        file: `${server}/serve-webhook.ts`,
        from: "if (outcome !== 'delivered') hasFailed = true",
        to: '',
      },
      tests,
    },
  ],
}
