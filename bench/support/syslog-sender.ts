/**
 * Sends syslog messages by UDP, from addresses NETWORK.1 (127.0.1.1) onwards: `PORT PER_SECOND SECONDS SOURCES
 * [NETWORK]`. The first source sends 10 a second, the second half of the rest, and the others share what remains.
 * Prints the number sent by each kind.
 */
const [port = 0, perSecond = 0, seconds = 0, sources = 0] = process.argv.slice(2, 6).map(Number)
const network = process.argv[6] ?? '127.0.1'
const TICK_MS = 5

const sockets = await Promise.all(
  Array.from({ length: sources }, (_, i) => Bun.udpSocket({ hostname: `${network}.${i + 1}` })),
)
const sent = { quiet: 0, flood: 0, others: 0 }
const began = performance.now()
const text = (n: number) =>
  `<189>Nov 22 12:00:00 sw %LINEPROTO-5-UPDOWN: Line protocol on Interface GigabitEthernet1/0/${n % 48}, changed state to down (${n})`
let total = 0
for (;;) {
  const elapsed = performance.now() - began
  if (elapsed >= seconds * 1000) break
  const due = Math.floor((elapsed / 1000) * perSecond)
  while (total < due) {
    const i = total % 2 === 0 ? 1 : 2 + (total % (sources - 2))
    // messages for which the kernel has no room are not counted as sent
    if (sockets[i]?.send(text(total), port, '127.0.0.1') === true) {
      if (i === 1) sent.flood++
      else sent.others++
    }
    total++
  }
  while (sent.quiet < Math.floor(elapsed / 100)) {
    if (sockets[0]?.send(text(sent.quiet), port, '127.0.0.1') !== true) break
    sent.quiet++
  }
  await Bun.sleep(TICK_MS)
}
for (const socket of sockets) socket.close()
console.log(JSON.stringify(sent))

export {}
