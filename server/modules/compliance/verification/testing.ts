import type { Context } from '../../../platform/context.ts';
import { verifyName } from '../../content/profiles/index.ts';
import { agreement } from './agreement.ts';
import { lockVerification, markDecided, markSubmitted, saveSignature } from './store.ts';

export function makeVerified({ db, config, clock }: Context, creatorId: string): Promise<void> {
  const at = clock.now();
  return db.transaction(async (tx) => {
    await lockVerification(tx, config, creatorId);
    await saveSignature(tx, config, creatorId, { version: agreement.version, signedAs: 'A Creator', strokes: [] }, at);
    await markSubmitted(tx, creatorId, at, at);
    await markDecided(tx, creatorId, { status: 'verified', rejected: [], operatorId: null, at });
    await verifyName(clock, tx, creatorId);
  });
}
