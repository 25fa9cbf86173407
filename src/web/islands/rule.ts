import { startBuilder } from './builder.ts'

const form = document.querySelector<HTMLFormElement>('form[data-rule]')
if (form !== null) startBuilder(form)
