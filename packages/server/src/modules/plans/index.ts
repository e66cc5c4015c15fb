export { createPlanner, type Planner } from './planner.ts'
