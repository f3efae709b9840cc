// access
export const accountNoLongerExists = 'This account no longer exists.';
export const cannotMessageUser = 'You can’t message this person.';
export const messageRequestPending =
  'Your request is pending. You can send a tip, but no more messages until it’s accepted.';
export const subscribersOnlyMessages = 'This creator only accepts messages from subscribers.';
export const tierGone = 'This tier was deleted. Choose another one.';
export const followersOnlyMessages = 'This creator only accepts messages from followers.';
export const firstMessageTextOnly = 'Your first message can only contain text. You can send files once it’s accepted.';
export const newCreatorsDailyLimit = 'You’ve messaged {count} new creators today. Try again tomorrow.';
export const messageIdReused = 'This ID was used for another message.';
export const permissionDenied = 'You don’t have permission to do this.';

// broadcast/service
export const scheduleWithinYear = 'Choose a future time within a year.';
export const selectAtLeastOneChat = 'Select at least one chat.';
export const scheduledBroadcastsLimit = 'You can have up to {max} scheduled broadcasts.';
export const documentsNotViewOnce = 'Documents can’t be sent as view once.';
export const alreadySentOrCanceled = 'This was already sent or canceled.';
export const invalidOffset = 'Invalid offset';

// data-export
export const chatsExportDescription = 'Your chats and private notes.';
export const broadcastsExportDescription = 'Your broadcasts, including scheduled ones.';
export const messagesExportDescription =
  'Messages you sent and received. Files you sent are included; files from others aren’t.';

// inbox/settings
export const onlyCreatorsCanAddNotes = 'Only creators can add notes.';
export const chatAlreadyAccepted = 'This chat has already been accepted. You can block or delete it.';

// outbox/attachments
export const sameFileAddedTwice = 'You added the same file twice.';
export const attachedFileMissing = 'One of the files no longer exists.';
export const fileProcessingFailed = 'Couldn’t process one of the files.';
export const fileUsedInPost = 'One of the files is used in a post.';

// outbox/form-fields
export const checkThisField = 'Check this field.';

// outbox/forms
export const voiceMessageTooLong = 'Voice messages can be up to {minutes} minutes long.';
export const waveformInvalid = 'At most 100 numbers from 0 to 1.';
export const virusDetected = 'We found a virus in {fileName} ({virusName}), so it wasn’t sent.';
export const fileIsEmpty = '{fileName} is empty.';
export const voiceMessageUnplayable = 'We can’t play this voice message.';
export const fileTypeUnsupported = '{fileName} isn’t supported. {detectedType}Supported documents: {supportedTypes}.';
export const documentInvalid = '{fileName} isn’t a valid .{extension} file. {detectedType}';
export const multipartFormRequired = 'Send a multipart form.';
export const characterNotAllowed = 'This character isn’t allowed.';
export const formUnreadable = 'Couldn’t read the form.';
export const addFile = 'Add a file.';
export const sendFileKindsSeparately = 'Send media, documents and voice messages separately.';

// outbox/send-limits
export const sendingTooFast = 'You’re sending too fast. Wait {seconds} seconds.';

// outbox/send
export const chooseChatOrUser = 'Choose a chat or a person.';
export const onlyCreatorsCanSetPrice = 'Only creators can set a price.';
export const paidMessages = 'Paid messages';

// thread/purchases
export const messageIsFree = 'This message is free.';
export const currentPrice = 'The price is {price}.';
export const alreadyHaveAccess = 'You already have access to this.';
export const messageWasDeleted = 'This message was deleted.';
export const alreadyUnlocked = 'You’ve already unlocked this.';

// thread/thread
export const deleteForYourselfOnly = 'It has already been read or unlocked. You can only delete it for yourself.';

// thread/view-once
export const unlockItFirst = 'Unlock it first.';
export const stillProcessing = 'This is still processing. Try again in a moment.';
export const alreadyViewed = 'You’ve already viewed this.';
export const notOpenedYet = 'This hasn’t been opened yet.';
