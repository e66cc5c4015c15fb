export * from '../shared/nats.ts'
export * from '../shared/on-air-system.ts'
