import { documentFiles, readDocument } from './document-files.ts'

/**
 * Macro that runs when the importing file is bundled and inlines the documentation, so that the compiled program needs no
 * files: Markdown as text, images in base64.
 */
export function embeddedDocuments(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    documentFiles().map((path) => {
      const octets = readDocument(path)
      return [path, path.endsWith('.md') ? octets.toString('utf8') : octets.toString('base64')]
    }),
  )
}
