/**
 * Arguments of `rrdtool graph`: in above and out below the axis as areas with a line, and the figures of our legend.
 */
export function rrdGraph(rrd: string, png: string, fromS: number, toS: number): string[] {
  const side = (name: string, sign: string, colour: string, fill: string) => [
    `DEF:${name}=${rrd}:${name}:AVERAGE`,
    `CDEF:${name}bits=${name},8,*`,
    `CDEF:${name}drawn=${name}bits,${sign}1,*`,
    `VDEF:${name}95=${name}bits,95,PERCENT`,
    `AREA:${name}drawn#${fill}:${name}`,
    `LINE1:${name}drawn#${colour}`,
    `GPRINT:${name}bits:LAST:%6.2lf%s`,
    `GPRINT:${name}bits:AVERAGE:%6.2lf%s`,
    `GPRINT:${name}bits:MAX:%6.2lf%s`,
    `GPRINT:${name}95:%6.2lf%s\\l`,
  ]
  const size = ['--full-size-mode', '--width', '1075', '--height', '300', '--start', `${fromS}`, '--end', `${toS}`]
  return ['graph', png, ...size, ...side('in', '', '009e73', 'a8dcc8'), ...side('out', '-', '0072b2', 'a3c8e6')]
}

/** A process `rrdtool -`, which reads commands line by line and ends each response with a line `OK` or `ERROR`. */
export function persistentRrdtool() {
  const process = Bun.spawn(['rrdtool', '-'], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const reader = process.stdout.getReader()
  const decoder = new TextDecoder()
  return {
    run: async (args: readonly string[]): Promise<void> => {
      process.stdin.write(`${args.map((a) => `"${a}"`).join(' ')}\n`)
      await process.stdin.flush()
      let answer = ''
      while (!/^OK/m.test(answer)) {
        const { value, done } = await reader.read()
        answer += value === undefined ? '' : decoder.decode(value)
        if (done || /^ERROR/m.test(answer)) throw new Error(`rrdtool: ${answer}`)
      }
    },
    stop: async (): Promise<void> => {
      process.kill()
      await process.exited
    },
  }
}
