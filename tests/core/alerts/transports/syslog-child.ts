import { delivering, never, notification } from './support.ts'

// A separate process, because trusted certificates are read when a process starts.
const port = Number(process.argv[2])
const deliver = delivering({}, { 'log.example.test': ['127.0.0.1'], 'other.example.test': ['127.0.0.1'] })
const kinds: string[] = []
for (const host of ['log.example.test', 'other.example.test'])
  kinds.push((await deliver({ kind: 'syslog', settings: { host, port, protocol: 'tls' } }, notification(), never)).kind)
console.log(kinds.join(' '))
