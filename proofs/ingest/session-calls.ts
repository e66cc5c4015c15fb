import { type Login, logIn as openSession, type Session } from '../shared/ingest-system.ts'

export const logIn = (api: string, login: Login, _address: string): Promise<Session> =>
  openSession(api, login)
export const requireSession = (session: Session): Session => session
