import { StoreError } from './errors.ts'

/**
 * Rewrites the error of the first connection to say which server refused it, why, and what to do. Names the host,
 * database and user, never the password.
 */
export function explainRefusal(error: StoreError, address: string): StoreError {
  const url = new URL(address)
  if (url.searchParams.has('host')) {
    // the embedded server's socket
    const text = `the database is damaged (${error.message}): restore the data folder from a backup`
    return error.code === '3D000' ? new StoreError(error.kind, text, false, error.code, { cause: error }) : error
  }
  const place = url.port === '' ? url.hostname : `${url.hostname}:${url.port}`
  const user = decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1))
  const text = sentence(error, { place, user, database })
  return text === null ? error : new StoreError(error.kind, text, error.retryable, error.code, { cause: error })
}

interface Target {
  readonly place: string
  readonly user: string
  readonly database: string
}

function sentence({ code, message }: StoreError, { place, user, database }: Target): string | null {
  switch (code) {
    case '28P01':
      return `the database server ${place} refuses the password of user ${user}: correct it in DATABASE_URL`
    case '28000':
      return `the database server ${place} does not let user ${user} in (${message}): correct DATABASE_URL or the server's pg_hba.conf`
    case '3D000':
      return `the database server ${place} has no database ${database}: create it, or correct DATABASE_URL`
    case '42501':
      return `user ${user} lacks privileges in database ${database} of ${place} (${message}): make it the owner of the database`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `no database server answers at ${place}: start it, or correct DATABASE_URL`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name of the database server ${place} cannot be resolved: correct DATABASE_URL, or the DNS`
    case 'CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `the database server ${place} cannot be reached: check the network, or correct DATABASE_URL`
    case 'CONNECTION_CLOSED':
    case 'ECONNRESET':
      return `${place} closes the connection at once: is a PostgreSQL server there? With sslmode=require in the URL it must offer TLS`
    case '53300':
      return `the database server ${place} has no connections left (${message}): raise its max_connections`
    case '57P03':
      return `the database server ${place} is not ready (${message}): try again in a moment`
    default:
      return null
  }
}
