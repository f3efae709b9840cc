/** By what right somebody has something: asked by whatever statement reads the thing, so that one and many get the same answer. */

/** Null: it is locked. What is `withdrawn` is open to its owner and to who paid for it, and what is `shut` to its owner alone. */
export type Entitlement = 'own' | 'free' | 'purchase' | 'gift' | 'subscription' | null;

/** Columns, parameters or expressions of SQL; never values. */
type Asked = {
  /** Null for nobody. */
  viewer: string;
  owner: string;
  subject: string;
  /** In cents. */
  price: string;
  /** 'shown', 'withdrawn' or 'shut'. */
  standing: string;
  /** What the subject is a part of: a grant of it opens the subject as well. */
  whole: string;
};

/** Joins the answer to each row of a statement: `source` of the alias `e`. */
export const joinEntitlement = ({ viewer, owner, subject, price, standing, whole }: Asked): string =>
  `cross join lateral entitlement(${viewer}, ${owner}, ${subject}, ${price}, ${standing}, ${whole}) e`;

/** Whether everybody has what is shown at this price. */
export function isFree(priceCents: number): boolean {
  return priceCents === 0;
}

/** By what right somebody has what was made just now, and nobody can have been given or sold yet. */
export function rightToNew(isOwn: boolean, priceCents: number): Entitlement {
  if (isOwn) return 'own';
  return isFree(priceCents) ? 'free' : null;
}
