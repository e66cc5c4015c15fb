/** A word that this project does not write, and what to write instead. */
export interface BannedWord {
  /** One word in lower case, found in prose and inside identifiers; or a phrase, found in prose. */
  readonly words: readonly string[]
  readonly use: string
  /** Text in which the word is the usual one, or a frozen name. */
  readonly except?: RegExp
}

/**
 * Words with which this project once had a language of its own. Where streaming, broadcast automation, Node or
 * PostgreSQL have a word, that word is used.
 */
export const bannedWords: readonly BannedWord[] = [
  {
    words: ['tell', 'tells', 'told', 'teller'],
    use: 'publish, notify, report, send, log, return',
    except: /\bis_told\b|longer_than_told/, // a parameter of a database function, an error code
  },
  { words: ['hear', 'hears', 'heard', 'unheard', 'deaf'], use: 'receive, received, not delivered' },
  { words: ['ask', 'asks', 'asked', 'asking', 'asker'], use: 'request, query' },
  { words: ['say', 'says', 'said', 'saying'], use: 'state, contain, return, print' },
  {
    words: ['forget', 'forgets', 'forgot', 'forgotten', 'forgetting'],
    use: 'evict, purge, delete, drop',
    except: /\bforget_[a-z_]+/, // functions of the database, and a job
  },
  { words: ['spoil', 'spoils', 'spoilt', 'spoiled'], use: 'corrupt, invalid' },
  { words: ['whoever', 'whomever', 'nobody'], use: 'any caller, no one, unused' },
  { words: ['for ever'], use: 'permanently, until …' },
  { words: ['stranger', 'strangers'], use: 'another account, an unauthenticated caller, an unknown client' },
  { words: ['newcomer', 'newcomers'], use: 'new user, getting started' },
  { words: ['walker', 'walkers'], use: 'playlist validator' },
  {
    words: ['refuse', 'refuses', 'refused', 'refusal', 'refusals', 'refusing'],
    use: 'reject, rejected, error response',
    except:
      /ECONNREFUSED|connections? (?:was |is |are )?refused|(?:session|password)\.refused|address_refused/i,
  },
  {
    words: ['stands', 'stood', 'lies'],
    use: 'is stored, is at, is',
    except: /stands (?:for|in for|by|out|alone)\b/i,
  },
  { words: ['goes on', 'go on', 'went on', 'going on', 'gone on'], use: 'continue, happen' },
  {
    words: ['is not there', 'are not there', 'was not there', 'were not there'],
    use: 'is unavailable, does not exist',
  },
  { words: ['cannot be had', 'could not be had', 'can be had'], use: 'is unavailable, cannot be read' },
  { words: ['without a word', 'in words', 'a word from', 'its word'], use: 'silently, as text, a message' },
  { words: ['in hand', 'hands', 'at hand', 'by hands'], use: 'in progress, worker, slot, concurrency' },
  { words: ['in turn'], use: 'one after another, concurrently, round-robin' },
  { words: ['piece', 'pieces'], use: 'placement, part, chunk' },
  {
    words: ['house'],
    use: 'architecture rules',
    except: /house[- _]?(?:format|segment|number|style|epoch|rung|ladder|track|file|asset|fill)s?\b/i,
  },
  {
    words: ['rooms', 'arrows', 'walls', 'doors'],
    use: 'modules, dependencies, tenant isolation, entry points',
  },
  {
    words: ['take in', 'takes in', 'taken in', 'took in', 'taking in'],
    use: 'ingest, accept, import, receive',
  },
  { words: ['amiss', 'askew'], use: 'wrong, invalid' },
  { words: ['told apart', 'by chance', 'on purpose'], use: 'distinguished, at random, deliberately' },
]
