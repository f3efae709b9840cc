/** Live posts (rows C3, C4): which events count, and what they do to what is shown. Pure, so that tests can hold them to a refetch. */

/** Row C3: a live post counts only if it has an id and an array of addresses. */
export function isWellFormed(event: { id?: unknown; postUri?: unknown } | undefined): boolean {
  return typeof event?.id === 'string' && event.id !== '' && Array.isArray(event.postUri);
}

/** Adds a post once and keeps the newest first. */
export function withPost<T extends { id: string; createdAt: string }>(posts: readonly T[], post: T): T[] {
  const others = posts.filter((other) => other.id !== post.id);
  return [...others, post].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
}

/** Drops a removed post. */
export function withoutPost<T extends { id: string }>(posts: readonly T[], postId: string): T[] {
  return posts.filter((post) => post.id !== postId);
}
