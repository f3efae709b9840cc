/** Validates and applies live posts (rows C3, C4). */

/** A live post is valid only if it has an ID and an array of URIs (row C3). */
export function isWellFormed(event: { id?: unknown; postUri?: unknown } | undefined): boolean {
  return typeof event?.id === 'string' && event.id !== '' && Array.isArray(event.postUri);
}

export function insertSorted<T extends { id: string; createdAt: string }>(posts: readonly T[], post: T): T[] {
  const others = posts.filter((other) => other.id !== post.id);
  return [...others, post].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
}

export function removeById<T extends { id: string }>(posts: readonly T[], postId: string): T[] {
  return posts.filter((post) => post.id !== postId);
}
