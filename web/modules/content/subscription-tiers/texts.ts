// tier-draft
export const noPriceError = 'Enter at least one price, or choose Free.';

// labels
export const weekly = 'Per week';
export const monthly = 'Per month';
export const yearly = 'Per year';
export const weekUnit = 'week';
export const monthUnit = 'month';
export const yearUnit = 'year';
export const perUnit = '{price} a {unit}';
export const monthsFor = '{price} for {months} months';
export const free = 'Free';
export const paid = 'Paid';

// tier-list
export const tiersListed = 'Your tiers, lowest first';
export const edit = 'Edit';
export const editTier = 'Edit {name}';
export const moveUp = 'Move {name} up';
export const moveDown = 'Move {name} down';
export const movedTo = '{name} is now number {position} of {count}.';
export const orderHint = 'Each tier includes everything in the tiers above it in this list.';
export const closed = 'Closed to new subscribers';
export const slotsLeft = '{left} of {slots} slots left';
export const trialDaysOffered = '{days}-day free trial';
export const contents = '{posts} open with it';

// tier-editor
export const newTier = 'New tier';
export const tierPosition = 'Tier {position} of {count} · {subscribers}';
export const name = 'Name';
export const namePlaceholder = 'Backstage';
export const included = 'What’s included';
export const benefit = 'Benefit {number}';
export const addBenefit = 'Add a benefit';
export const moveBenefitUp = 'Move benefit {number} up';
export const moveBenefitDown = 'Move benefit {number} down';
export const removeBenefit = 'Remove benefit {number}';
export const benefitMoved = 'Now benefit {number} of {count}.';
export const price = 'Price';
export const youGet = 'You get {amount}';
export const priceLimits = '{min} to {max}';
export const typeInUse = 'This tier has subscribers, so it can’t change between free and paid.';
export const bundles = 'Bundles';
export const bundlesHint = 'A discount for fans who pay for several months at once.';
export const bundlesNeedMonthly = 'Enter a price per month to offer bundles.';
export const months = '{count} months';
export const percentOff = 'Percent off {count} months';
export const bundleResult = '{price}, {monthly} a month';
export const noBundle = 'Not offered';
export const trial = 'Free trial in days';
export const trialHint = 'For fans who never subscribed to you. Leave empty for no trial. Up to {max} days.';
export const slots = 'Limited slots';
export const slotsHint = 'How many fans can subscribe at the same time. Leave empty for no limit.';
export const slotsTaken = 'How many fans can subscribe at the same time. {count} are taken.';
export const open = 'Open to new subscribers';
export const welcomeMessage = 'Welcome message (optional)';
export const welcomeMessageHint =
  'Fans receive it from you in the chat when they subscribe for the first time. It isn’t sent again.';
export const openHint = 'When closed, existing subscribers stay and keep renewing.';
export const preview = 'How fans see it';
export const fansPay = 'Fans pay per {unit}';
export const fee = 'Platform fee, {percent}%';
export const yours = 'Yours per {unit}';
export const save = 'Save changes';
export const create = 'Create tier';
export const saving = 'Saving…';
export const savedToast = 'Tier saved';
export const createdToast = 'Tier created';
export const deleteTier = 'Delete tier';
export const raised =
  'New subscribers pay the new price now. {subscribers} who pay less keep their price for at least 30 days and are asked to accept. A subscription ends if its fan doesn’t.';
export const lowered =
  'New subscribers pay the new price now. {subscribers} pay the lower price from their next renewal.';
export const both =
  'New subscribers pay the new prices now. {subscribers} pay a lower price from their next renewal. A higher one needs their consent and starts after at least 30 days; without it, their subscription ends.';
export const closing = '{subscribers} stay and keep renewing. No one new can subscribe.';
export const discardTitle = 'Discard your changes?';
export const discardLead = 'You have unsaved changes to this tier.';
export const discard = 'Discard';
export const keepEditing = 'Keep editing';

// delete
export const deleteQuestion = 'Delete {name}?';
export const deleteEmpty = 'It has no subscribers. Fans can’t subscribe to it any more. This can’t be undone.';
export const deleteSubscribed =
  '{subscribers} keep access until the end of what they paid for, and aren’t charged again. We let them know. This can’t be undone.';
export const deleteFree = '{subscribers} of this free tier lose access. We let them know. This can’t be undone.';
export const deletedToast = 'Tier deleted';
export const closeInstead = 'To stop new subscribers and keep the ones you have, close the tier instead.';
export const deleting = 'Deleting…';

// tier-preview
export const everythingIn = 'Everything in {name}';
export const tryFree = '{days} days free, then {price}';
export const postsIncluded = '{posts} and {media} now';

// price-fields
export const percentUnit = '% off';

// offer-list
export const offers = 'Offers';
export const offersIntro =
  'Give fans a discount on their first payments with a link or a code. After that, they pay the full price.';
export const offersFull = 'You can have up to {max} running offers. Close one to add another.';
export const noOffersYet = 'No offers yet.';
export const addOffer = 'Add offer';
export const offerRunning = 'Running';
export const offerUsedUp = 'Used up';
export const offerEnded = 'Ended';
export const offerClosed = 'Closed';
export const firstPaymentOff = '{percent}% off the first payment';
export const firstPaymentsOff = '{percent}% off the first {count} payments';
export const usedTimes = 'Used {count} times';
export const usedOnce = 'Used {count} time';
export const limitedUses = '{count} of {max} used';
export const until = 'until {day}';
export const endedOn = 'ended {day}';
export const copyLink = 'Copy link';
export const copyLinkLabel = 'Copy link for {code}';
export const linkCopied = 'Link copied';
export const copyCode = 'Copy code';
export const copyCodeLabel = 'Copy code {code}';
export const codeCopied = 'Code copied';
export const closeOffer = 'Close';
export const closeOfferLabel = 'Close {code}';
export const closeOfferQuestion = 'Close {code}?';
export const closeOfferLead =
  'No one can use it any more. Fans who already used it keep their discount. This can’t be undone, and you can’t use the code again.';
export const keepOffer = 'Keep offer';
export const closingOffer = 'Closing…';
export const offerClosedToast = '{code} is closed';

// offer-editor
export const newOffer = 'New offer';
export const offerCode = 'Code';
export const offerCodePlaceholder = 'SPRING20';
export const offerCodeHint = '{min} to {max} letters and digits. It’s also in the link.';
export const offerPercent = 'Percent off';
export const offerPeriods = 'For how many payments';
export const numberRange = '{min} to {max}';
export const offerTier = 'Tier';
export const allPaidTiers = 'All paid tiers';
export const offerAudience = 'Who can use it';
export const forEveryone = 'Everyone';
export const forEveryoneHint = 'Once per fan';
export const forNew = 'New subscribers';
export const forNewHint = 'Fans who’ve never subscribed to you';
export const forReturning = 'Returning subscribers';
export const forReturningHint = 'Fans who subscribed to you before and don’t now';
export const offerUses = 'How many fans can use it';
export const offerUsesHint = 'Leave empty for no limit.';
export const offerEnd = 'Ends on';
export const chooseEnd = 'Choose a date and time.';
export const tierPerUnit = '{name}, per {unit}';
export const tierPerMonths = '{name}, {months} months';
export const someNotDiscounted = 'Prices that would fall below {min} aren’t discounted.';
export const noneDiscounted = 'Choose a smaller discount. Every price would fall below {min}.';
export const firstPayment = 'First payment with the code';
export const firstPayments = 'First {count} payments with the code';
export const createOffer = 'Create offer';
export const offerCreatedToast = 'Offer created';
export const discardOfferLead = 'This offer hasn’t been created yet.';
