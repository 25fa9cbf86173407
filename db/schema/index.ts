// The one barrel of the project: Drizzle takes the whole schema as a single object.
export * from './access.ts'
export * from './addresses.ts'
export * from './components.ts'
export * from './devices.ts'
export * from './logs.ts'
export * from './modules.ts'
export * from './ports.ts'
export * from './system.ts'
