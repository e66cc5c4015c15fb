export * from '../shared/node-figures.ts'
