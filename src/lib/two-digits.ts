/** A number from 0 to 99 with two digits, as in times and dates: `07`. */
export const twoDigits = (value: number): string => String(value).padStart(2, '0')
