/** A list of users or works changes when a new entry appears, so every page with one has this tag. */
export const PEOPLE_TAG = 'people';
export const HOUSE_TAG = 'house';
const PERSON = 'person:';
export const personTag = (id: string): string => PERSON + id;
export const personsOf = (tags: Iterable<string>): string[] =>
  [...tags].filter((tag) => tag.startsWith(PERSON)).map((tag) => tag.slice(PERSON.length));
export const postTag = (id: string): string => `post:${id}`;
export const mediaTag = (id: string): string => `media:${id}`;

const MAX_DEPTH = 10;

function isPeople(list: readonly unknown[]): boolean {
  const [first] = list;
  return first === undefined || (typeof first === 'object' && first !== null && 'username' in first);
}

export function tagsOf(value: unknown, tags: Set<string>, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const entry of value) tagsOf(entry, tags, depth + 1);
    return;
  }
  if ('id' in value && typeof value.id === 'string') {
    if ('username' in value) tags.add(personTag(value.id));
    if ('postUri' in value) tags.add(postTag(value.id));
    if ('isLocked' in value) tags.add(mediaTag(value.id));
  }
  if ('house' in value && value.house === true) tags.add(HOUSE_TAG);
  if ('isEverybodys' in value && value.isEverybodys === true) tags.add(PEOPLE_TAG);
  if ('data' in value && Array.isArray(value.data) && isPeople(value.data)) tags.add(PEOPLE_TAG);
  for (const entry of Object.values(value)) if (typeof entry === 'object') tagsOf(entry, tags, depth + 1);
}
