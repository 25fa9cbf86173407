// The script of every page. No page needs it for reading.
import { startLive } from './live.ts'
import { startPalette } from './palette.ts'
import { startTables } from './tables.ts'
import { startTheme } from './theme.ts'
import { startTimes } from './times.ts'

startTheme()
startTimes()
startPalette()
startTables()
startLive()
