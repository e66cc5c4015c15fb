export * from '../shared/players.ts'
