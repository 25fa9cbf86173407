const two = (n: number) => String(n).padStart(2, '0')

/** Epoch ms as `Y-m-d H:i:s` in the server's time zone. */
export function instantText(ms: number): string {
  const at = new Date(ms)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
