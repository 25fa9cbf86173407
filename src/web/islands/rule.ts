import { startBuilder } from './builder.ts'
import { trier } from './rule-preview.ts'

const form = document.querySelector<HTMLFormElement>('form[data-rule]')
if (form !== null) startBuilder(form)

// A form whose preview is updated while typing.
const tried = document.querySelector<HTMLFormElement>('form[data-tried]')
if (tried !== null) tried.addEventListener('input', trier(tried))
