// The compiler imports this name in development builds.
export { Fragment, type JSX, jsx as jsxDEV } from './jsx-runtime.ts'
