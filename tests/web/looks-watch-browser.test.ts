import { testLooks } from './looks.ts'
import { watching } from './looks-addresses.ts'

testLooks('watching', watching)
