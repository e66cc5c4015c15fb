export * from '../shared/ingest-system.ts'
