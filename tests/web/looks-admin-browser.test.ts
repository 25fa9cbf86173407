import { testLooks } from './looks.ts'

testLooks('administration', () => [
  '/pollers',
  '/pollers/groups',
  '/database?days=400',
  '/maintenance',
  '/settings',
  '/settings?q=alert',
  '/settings/users',
  '/settings/users?user=admin',
  '/settings/roles',
  '/settings/audit',
  '/api-access',
  '/account',
  '/account?factor=new',
  '/sign-in',
])
