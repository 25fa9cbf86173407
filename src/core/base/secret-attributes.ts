/**
 * Regular expression, for PostgreSQL and for this language, of the names of device attributes (devices_attribs) in which
 * other programs may have stored passwords; whatever the case of letters.
 */
export const SECRET_ATTRIBUTE = '(pass|secret|community|token|key)'
