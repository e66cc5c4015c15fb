export * from '../shared/output-watch.ts'
