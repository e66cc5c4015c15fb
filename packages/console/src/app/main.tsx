import '@mantine/core/styles.css'
import './base.css'
import { createRoot } from 'react-dom/client'
import { takeGivenLogin } from '../session/given-login.ts'
import { createSessionStore } from '../session/session-store.ts'
import { App } from './app.tsx'

const store = createSessionStore(location.origin, takeGivenLogin())
createRoot(document.getElementById('root')!).render(<App store={store} />)
