/**
 * The right is joined into the statement that reads the content, so that single items and lists get the same result.
 */

/** Null means locked. `withdrawn` content is open to its owner and its buyers, `ownerOnly` content only to its owner. */
export type Entitlement = 'own' | 'free' | 'purchase' | 'gift' | 'subscription' | null;

/** SQL columns, parameters or expressions, never values. */
type EntitlementSql = {
  viewer: string;
  owner: string;
  subject: string;
  /** In cents. */
  price: string;
  /** 'shown', 'withdrawn' or 'ownerOnly'. */
  access: string;
  /** The containing subject. A grant for it opens this subject, too. */
  container: string;
};

/** Joins the right to each row of a statement, as `source` of the alias `e`. */
export const joinEntitlement = ({ viewer, owner, subject, price, access, container }: EntitlementSql): string =>
  `cross join lateral entitlement(${viewer}, ${owner}, ${subject}, ${price}, ${access}, ${container}) e`;

export function isFree(priceCents: number): boolean {
  return priceCents === 0;
}

export function getInitialEntitlement(isOwn: boolean, priceCents: number): Entitlement {
  if (isOwn) return 'own';
  return isFree(priceCents) ? 'free' : null;
}
