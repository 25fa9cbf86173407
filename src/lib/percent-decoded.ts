/** A user, password or other part of a URL, decoded; if that cannot be done, such as for `100%`, the text as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
