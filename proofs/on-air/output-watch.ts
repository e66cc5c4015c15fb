export * from '../shared/output-watch.ts'
export * from '../shared/outputs.ts'
