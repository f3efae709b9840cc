/** A list of users or works changes when a new entry appears, so every page with one has this tag. */
export const USERS_TAG = 'users';
export const PLATFORM_TAG = 'platform';
const USER_PREFIX = 'user:';
export const toUserTag = (id: string): string => USER_PREFIX + id;
export const listTaggedUserIds = (tags: Iterable<string>): string[] =>
  [...tags].filter((tag) => tag.startsWith(USER_PREFIX)).map((tag) => tag.slice(USER_PREFIX.length));
export const toPostTag = (id: string): string => `post:${id}`;
export const toMediaTag = (id: string): string => `media:${id}`;

/** Whether a response refuses a code of the address. Such pages are not cached, because anyone can make up codes. */
export const hasRefusedCode = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'offerRefusal' in body && body.offerRefusal !== null;

const MAX_DEPTH = 10;

function isUserList(list: readonly unknown[]): boolean {
  const [first] = list;
  return first === undefined || (typeof first === 'object' && first !== null && 'username' in first);
}

export function collectTags(value: unknown, tags: Set<string>, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const entry of value) collectTags(entry, tags, depth + 1);
    return;
  }
  if ('id' in value && typeof value.id === 'string') {
    if ('username' in value) tags.add(toUserTag(value.id));
    if ('postUri' in value) tags.add(toPostTag(value.id));
    if ('isLocked' in value) tags.add(toMediaTag(value.id));
  }
  if ('dependsOnSettings' in value && value.dependsOnSettings === true) tags.add(PLATFORM_TAG);
  if ('dependsOnAllPosts' in value && value.dependsOnAllPosts === true) tags.add(USERS_TAG);
  if ('data' in value && Array.isArray(value.data) && isUserList(value.data)) tags.add(USERS_TAG);
  for (const entry of Object.values(value)) if (typeof entry === 'object') collectTags(entry, tags, depth + 1);
}
