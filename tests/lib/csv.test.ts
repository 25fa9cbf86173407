import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { csvRows, quotedCell } from '../../src/lib/csv.ts'

test('rows have the number of their first line; empty ones are left out', () => {
  expect(csvRows('\uFEFFa,"b\nb", c \r\n\r\n,,\n"d""d",e"e\n')).toEqual([
    { line: 1, cells: ['a', 'b\nb', 'c'] },
    { line: 5, cells: ['d"d', 'e"e'] },
  ])
  expect(csvRows('')).toEqual([])
})

test('what cannot be read is reported with the first line of its row, and without the text', () => {
  expect(csvRows('a,b\n"x\ny",z\n"secret,b\nc')).toEqual({ line: 4, fault: 'an opening quote without a closing one' })
  expect(csvRows('a\n"b"secret,c')).toEqual({ line: 2, fault: 'text between a closing quote and the next comma' })
})

test('cells in quotes are read as they were, except spaces at their ends', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ö', '=') })
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1 })), (table) => {
      const text = table.map((row) => row.map(quotedCell).join()).join('\r\n')
      const rows = csvRows(text)
      expect(Array.isArray(rows) && rows.map(({ cells }) => cells)).toEqual(
        table.map((row) => row.map((one) => one.trim())).filter((row) => row.some((one) => one !== '')),
      )
    }),
  )
})
