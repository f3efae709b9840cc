/** The ledger: double-entry accounts of everybody's money. The ground of every room that moves money; calls no other. */
export { type Credited, creditDeposit, type Deposit } from './deposits.ts';
export { refusing } from './errors.ts';
export { account, balanceOf, type External, hashRequest, type Leg, type Operation, type Posted, type Posting, post, rollInflows } from './post.ts';
