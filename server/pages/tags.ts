/** What a page shows, as tags: taken from the API's answers that it was made of, so that no page can forget to say it. */

/** Lists change by what isn't in them yet, so every page with one carries this. */
export const LIST_TAG = 'list';
export const personTag = (id: string): string => `person:${id}`;
export const postTag = (id: string): string => `post:${id}`;

const MAX_DEPTH = 8;

/** Adds to `tags` every person (id and username), every post (id and postUri) and whether there is a list. */
export function tagsOf(value: unknown, tags: Set<string>, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const entry of value) tagsOf(entry, tags, depth + 1);
    return;
  }
  if ('id' in value && typeof value.id === 'string') {
    if ('username' in value) tags.add(personTag(value.id));
    if ('postUri' in value) tags.add(postTag(value.id));
  }
  if ('data' in value && Array.isArray(value.data)) tags.add(LIST_TAG);
  for (const entry of Object.values(value)) if (typeof entry === 'object') tagsOf(entry, tags, depth + 1);
}
