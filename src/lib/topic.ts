/** Calls every follower with what is published, in the order in which they subscribed. */
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
