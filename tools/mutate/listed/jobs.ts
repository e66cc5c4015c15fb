import type { ListedMutants } from '../listed-mutant.ts'

export const jobs: ListedMutants = {
  area: 'jobs',
  mutants: [
    {
      id: 'j01',
      title: 'a claim that was lost is not noticed at the completion',
      change: {
        file: 'packages/server/src/platform/jobs/claim.ts',
        from: `    if (settledBy(completed).length === 0) throw new JobLost(claim.id)
`,
        to: `    void completed
`,
      },
      tests: ['packages/server/src/platform/jobs/job-worker.db.test.ts'],
    },
    {
      id: 'j02',
      title: 'a run whose claim was lost does the work of its effect',
      change: {
        file: 'packages/server/src/platform/jobs/claim.ts',
        from: `    if (!(await isCurrent(tx, claim))) throw new JobLost(claim.id)
`,
        to: '',
      },
      tests: ['packages/server/src/platform/jobs/job-worker.db.test.ts'],
    },
    {
      id: 'j03',
      title: 'a job that is given back has used up one of its tries',
      change: {
        file: 'packages/server/src/platform/jobs/claim.ts',
        from: 'retry_limit = retry_limit + 1, ',
        to: '',
      },
      tests: ['packages/server/src/platform/jobs/job-worker.db.test.ts'],
    },
    {
      id: 'j04',
      title: 'a worker does not wait after an outage',
      change: {
        file: 'packages/server/src/platform/jobs/supervision.ts',
        from: `if (state() === 'waiting' || nowMs - lastMs > GAP_MS) waitUntilMs = nowMs + PATIENCE_MS`,
        to: `if (state() === 'waiting' || nowMs - lastMs > GAP_MS) waitUntilMs = 0`,
      },
      tests: ['packages/server/src/platform/jobs/supervision.test.ts'],
    },
    {
      id: 'j05',
      title: 'the timer of a run that ended stays set',
      change: {
        file: 'packages/server/src/platform/jobs/run-job.ts',
        from: `  clearTimeout(timer)
`,
        to: '',
      },
      tests: ['packages/server/src/platform/jobs/job-worker.db.test.ts'],
    },
    {
      id: 'j06',
      title: 'the last try of a lost job is made free too',
      change: {
        file: 'packages/server/src/platform/jobs/supervision.ts',
        from: ' and retry_count < retry_limit',
        to: '',
      },
      tests: ['packages/server/src/platform/jobs/supervision.db.test.ts'],
    },
  ],
}
