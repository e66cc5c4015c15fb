/** Whether a webhook with this filter gets events of a kind. An asterisk at the end matches any ending. */
export const followsKind = (filter: readonly string[], kind: string): boolean =>
  filter.some((each) => (each.endsWith('*') ? kind.startsWith(each.slice(0, -1)) : kind === each))
