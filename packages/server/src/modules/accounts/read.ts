export {
  type Account,
  findAccountId,
  getAccount,
  getDefaultSlates,
  isDefaultSlate,
  listAccounts,
} from './store.ts'
