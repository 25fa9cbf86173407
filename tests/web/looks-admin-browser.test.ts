import { testLooks } from './looks.ts'
import { ADMINISTRATION } from './looks-addresses.ts'

testLooks('administration', () => ADMINISTRATION)
