export {
  type Account,
  findAccountId,
  getAccount,
  hasTimeFill,
  isDefaultSlate,
  listAccounts,
} from './store.ts'
