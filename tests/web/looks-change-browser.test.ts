import { testLooks } from './looks.ts'
import { changing } from './looks-addresses.ts'

testLooks('changing', changing)
