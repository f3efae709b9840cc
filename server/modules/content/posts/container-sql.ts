/** `posts.container_id` follows from the detail `subscribers`, so that entitlements read one column. */

/** The container of a post with these details (SQL of type jsonb). */
export const toContainerSql = (details: string, creator: string): string =>
  `case coalesce(${details} ->> 'subscribers', 'none') when 'none' then null when 'all' then ${creator}
    else (${details} ->> 'subscribers')::uuid end`;

/**
 * The container of a post that gets new details. It is left as it is if the audience is the same, because a deleted
 * tier without a higher one still opens its posts to those who paid for it (tier-deletion.ts).
 */
export const changeContainerSql = (details: string): string =>
  `case when coalesce(posts.details ->> 'subscribers', 'none') = coalesce(${details} ->> 'subscribers', 'none') then posts.container_id
    else ${toContainerSql(details, 'posts.creator_id')} end`;
