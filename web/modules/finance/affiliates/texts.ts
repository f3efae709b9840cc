// invite
export const joinMeOnStagedoor = 'Join me on Stagedoor';
export const yourLink = 'Your link';
export const qrCodeOfLink = 'QR code of your link, {link}';
export const linkLabel = 'Link';
export const yourCode = 'Your code is {code}';
export const linkCopied = 'Link copied.';
export const copyLink = 'Copy link';
export const share = 'Share';

// money-dialogs
export const minimumAmount = 'Minimum {min}';
export const maximumAmount = 'Maximum {max}';
export const amount = 'Amount';
export const amountRange = 'From {min} to {max}';
export const fromYourEarnings = 'From your earnings';
export const youGet = 'You get';
export const moveToBalance = 'Move to balance';
export const moveToBalanceHint = 'Available to spend right away.';
export const move = 'Move';
export const withdraw = 'Withdraw';
export const withdrawHint = 'We review every request. You can cancel until it’s approved.';
export const withdrawalDestination = 'To';
export const cancelRequest = 'Cancel request';
export const withdrawal = 'Withdrawal';
export const fromCreators = 'From creators';
export const fromFans = 'From fans';

// rows
export const invited = 'Invited';
export const underReview = 'Under review';
export const approved = 'Approved';
export const creator = 'Creator';
export const fan = 'Fan';
export const requested = 'Requested';
export const inReview = 'In review';
export const transferred = 'Transferred';
export const rejected = 'Rejected';
export const canceled = 'Canceled';
export const movedToBalance = 'Moved to balance';
export const payout = 'Payout';
export const earningTerm = '{verb} {sharePercent}until {endsAt}';
export const earns = 'Earns';
export const earned = 'Earned';
export const joinedWithoutDeposits = 'Joined {joinedAt}, no deposits yet';
export const joinedWithStatus = 'Joined {joinedAt}, {status}';
export const notVerifiedYet = 'not verified yet';
export const documentsSubmitted = 'documents submitted';
export const referrals = 'Referrals';
export const withdrawals = 'Withdrawals';

// sides
export const earnedFrom = 'Earned from {source} · {userCount}';
export const creators = 'Creators';
export const whatTheySell = 'what they sell';
export const fans = 'Fans';
export const whatTheySpend = 'what they spend';
