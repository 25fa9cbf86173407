/**
 * The browser that draws pages: the build of Chromium without a window where it is installed, which takes half the CPU
 * time, else Chromium or Chrome. null: none is installed.
 */
export const CHROMIUM: string | null =
  ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .map((name) => Bun.which(name))
    .find(Boolean) ?? null
