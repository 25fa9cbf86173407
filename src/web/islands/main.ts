// The script of every page. Pages can be read without it.
import { startCopying, startRenewal } from './admin.ts'
import { startLive } from './live.ts'
import { startLogs } from './logs.ts'
import { startMap } from './map.ts'
import { startPalette } from './palette.ts'
import { startFiles, startProbe } from './probe.ts'
import { startPush } from './push.ts'
import { startAgain } from './refresh-rows.ts'
import { startKeys } from './shortcuts.ts'
import { drawSparks } from './sparklines.ts'
import { startTables } from './tables.ts'
import { startTheme } from './theme.ts'
import { startTimes } from './times.ts'

startTheme()
startTimes()
startPalette()
startTables()
startKeys()
startLive()
startProbe()
startFiles()
startRenewal()
startAgain()
startCopying()
startMap()
startLogs()
startPush()
drawSparks()
