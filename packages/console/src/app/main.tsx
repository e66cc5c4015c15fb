import '@mantine/core/styles.css'
import './base.css'
import { createRoot } from 'react-dom/client'
import { createSessionStore } from '../session/session-store.ts'
import { App } from './app.tsx'

createRoot(document.getElementById('root')!).render(<App store={createSessionStore(location.origin)} />)
