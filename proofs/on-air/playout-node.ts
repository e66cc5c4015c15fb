export * from '../shared/on-air-system.ts'
