// The compiler imports this name when it does not build for production.
export { Fragment, type JSX, jsx as jsxDEV } from './jsx-runtime.ts'
