export * from '../shared/outputs.ts'
