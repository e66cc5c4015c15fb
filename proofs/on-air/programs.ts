export * from '../shared/programs.ts'
