/** Passes on what is told to everyone who follows it, in the order in which they began to. */
export interface Topic<Told extends readonly unknown[]> {
  tell(...told: Told): void
  follow(follower: (...told: Told) => void): void
}

export function createTopic<Told extends readonly unknown[]>(): Topic<Told> {
  const followers: ((...told: Told) => void)[] = []
  return {
    tell(...told) {
      for (const follower of followers) follower(...told)
    },
    follow: (follower) => void followers.push(follower),
  }
}
