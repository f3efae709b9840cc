// broadcast and other folders
export const sendingWhenReady = 'Sending when ready…';
export const deleteForEveryone = 'Delete for everyone';
export const deleteForEveryoneQuestion = 'Delete for everyone?';
export const cancel = 'Cancel';
export const backToChats = 'Back to chats';
export const broadcast = 'Broadcast';

// composer/attachments
export const messageStaysInChat = 'Your message wasn’t sent. It’s still in the chat.';
export const attachmentLimit = 'You can attach up to {fileCount} files.';
export const mediaLibraryError = 'Couldn’t load your media library. Try again.';

// composer/composer-files
export const preparingFile = 'Preparing {fileName}';
export const removeFile = 'Remove {fileName}';
export const filesToSend = 'Files to send';
export const firstMessageTextOnly = 'Your first message can only contain text.';
export const mediaLibrary = 'Media library';
export const attach = 'Attach';
export const photosAndVideos = 'Photos and videos';
export const documents = 'Documents';

// composer/composer
export const sendDocumentsSeparately = 'Send paid photos and videos separately from documents.';
export const messagePriceRange = 'Free, or from {min} to {max}.';
export const priceField = 'Price, $';
export const free = 'Free';
export const viewOnce = 'View once';
export const paidMessages = 'Paid messages';
export const messageTooLong = 'Messages can have up to {maxLength} characters; this one has {length}.';
export const charactersLeft = '{characterCount} left';
export const message = 'Message';
export const recordVoiceMessage = 'Record a voice message';
export const send = 'Send';
export const dropFilesHint = 'Drop the files to attach them';

// composer/prepare-files
export const unsupportedMediaError = '{fileName} isn’t supported. Convert it to JPEG, PNG or MP4.';
export const unsupportedFileError = '{fileName} isn’t supported. Send photos, videos or documents (PDF, TXT, ZIP).';
export const emptyFileError = '{fileName} is empty.';
export const fileTooLargeError = '{fileName} is larger than {maxSize}.';
export const photoTooManyPixelsError = '{fileName} has more than {maxMegapixels} megapixels. Send a smaller version.';
export const damagedPhotoError = '{fileName} is damaged or not a photo.';

// composer/use-recorder
export const microphoneBlockedError = 'Microphone access is blocked. Allow it in your browser settings and try again.';
export const noMicrophoneError = 'No microphone found.';
export const recordingStartError = 'Couldn’t start recording. Try again.';

// composer/voice-line
export const tryAgain = 'Try again';
export const backToText = 'Back to text';
export const voiceMessage = 'Voice message';
export const discardRecording = 'Discard recording';
export const waitingForMicrophone = 'Waiting for the microphone';
export const sendVoiceMessage = 'Send voice message';

// inbox/chat-rule
export const everyone = 'Everyone';
export const everyoneHint = 'Anyone can message you.';
export const everyoneSaved = 'Anyone can message you now.';
export const requestsFirst = 'Requests first';
export const requestsFirstHint = 'New fans send a request. You accept or decline.';
export const requestsFirstSaved = 'New chats now start as requests.';
export const followersOnly = 'Followers only';
export const followersOnlyHint = 'Only followers can message you.';
export const subscribersOnly = 'Subscribers only';
export const subscribersOnlyHint = 'Only fans with a running subscription can message you.';
export const subscribersOnlySaved = 'Only subscribers can message you now.';
export const whichSubscribers = 'Which subscribers';
export const followersOnlySaved = 'Only followers can message you now.';
export const whoCanMessageYou = 'Who can message you';
export const existingChatsUnaffected = 'Existing chats aren’t affected.';

// inbox/conversation-list-item
export const typing = 'typing…';
export const draftPrefix = 'Draft:';
export const noMessagesYet = 'No messages yet';
export const mutedSuffix = ', muted';
export const unreadBadge = 'unread';

// inbox/conversation-list
export const moreChatsError = 'Couldn’t load more chats.';
export const loadingMore = 'Loading more';

// inbox/inbox
export const noMatchingChats = 'No chats match “{query}”';
export const noUnreadMessages = 'No unread messages';
export const allCaughtUp = 'You’re all caught up.';
export const noChatsYet = 'No chats yet';
export const emptyInboxCreatorHint = 'Messages from fans appear here.';
export const emptyInboxFanHint = 'Message a creator you like.';
export const findCreators = 'Find creators';
export const requests = 'Requests';
export const messageRequest = 'message request';
export const searchChatsByName = 'Search chats by name';
export const closeSearch = 'Close search';
export const chatLists = 'Chat lists';
export const chat = 'Chat';
export const unreadFilter = 'Unread';
export const calls = 'Calls';
export const chats = 'Chats';
export const backToAllChats = 'Back to all chats';
export const searchChats = 'Search chats';

// inbox/unread-updates
export const newMessageRequest = 'New message request.';
export const newMessageRequests = 'New message request. {pendingCount} pending.';

// message-button
export const messageCreator = 'Message {creatorName}';

// module
export const unreadWithRequests = 'unread, {requestCount} among them';

// offline-conversations
export const tip = 'Tip';

// outbox/queue
export const sessionExpiredNotSent = 'Not sent: your session expired. We’ll send it when you log in again.';

// outbox/use-send
export const saveMessageError = 'Couldn’t save the message on this device. Try again.';

// thread/drawer
export const privateNote = 'Private note';
export const privateNoteHint = 'Only you can see this.';
export const saving = 'Saving…';
export const saveNote = 'Save note';
export const saved = 'Saved';
export const mute = 'Mute';
export const muteHint = 'You won’t get notified about new messages. They won’t know.';
export const blockCreatorConsequence =
  'You won’t see each other, and you’ll unfollow them. You can’t message, call or tip until you unblock. You keep what you’ve unlocked.';
export const blockFanConsequence =
  'They won’t see you and will no longer follow you. Neither of you can message, call or tip until you unblock. They keep what they’ve unlocked.';
export const working = 'Working…';
export const unblockUser = 'Unblock {name}';
export const block = 'Block';
export const blockQuestion = 'Block {name}?';
export const purchasesStayNote = ' Your purchases stay in your media.';
export const deleteChat = 'Delete chat';
export const deleteChatQuestion = 'Delete this chat?';
export const deleteChatConsequence = 'The chat and its messages are deleted for you, not for {name}.{purchaseNote}';
export const details = 'Details';

// thread/files
export const downloadFile = 'Download {fileName}';
export const voiceMessageDuration = 'Voice message, {duration}';
export const voiceMessageFrom = 'a voice message from {name}';

// thread/message-body
export const tipTo = 'Tip to {recipient}';
export const tipFrom = 'Tip from {sender}';
export const paid = 'Paid';
export const received = 'Received';
export const receipt = 'Receipt';
export const unlockedFor = 'Unlocked · {price}';
export const notUnlockedYet = 'not unlocked yet';
export const opened = 'Opened';
export const viewedOnce = 'Viewed once';
export const noLongerAvailable = 'No longer available';
export const open = 'Open';

// thread/message-item
export const copied = 'Copied';
export const copyError = 'Couldn’t copy.';
export const copyText = 'Copy text';
export const report = 'Report';
export const deleteForMe = 'Delete for me';
export const deleteForMeQuestion = 'Delete for you?';
export const deleteForBothConsequence = 'This message will be deleted for both of you.';
export const deleteForMeConsequence = 'This message will be deleted for you only. Purchases aren’t affected.';
export const messageActions = 'Message actions';
export const newMessagesDivider = 'New';
export const you = 'You';
export const byTeamMember = 'by {member}';

// thread/message-media
export const processing = 'Processing';
export const notAvailable = 'Not available';
export const video = 'Video';
export const photo = 'Photo';
export const videoFrom = 'a video from {name}';
export const openPhotoFrom = 'Open the photo from {name}';

// thread/new-thread
export const firstMessageRequestHint = 'Your first message to {name} is sent as a request. You can include a tip.';
export const emptyThreadHint = 'Send {name} a message.';
export const chatWith = 'Chat with {name}';
export const sendingRequest = 'Sending your request…';
export const subscribe = 'Subscribe';
export const viewProfile = 'View profile';

// thread/pending-body
export const sendingWhenOnline = 'Sending when online';
export const uploading = 'Uploading';
export const notSent = 'Not sent.';
export const retry = 'Retry';
export const edit = 'Edit';
export const deleteButton = 'Delete';

// thread/shared-media
export const photos = 'Photos';
export const videos = 'Videos';
export const voice = 'Voice';
export const shared = 'Shared';
export const mediaTypeFilter = 'Type';
export const noMediaOfKind = 'No {kind} yet.';
export const locked = 'Locked';
export const openSharedMedia = 'Open media shared with {name}';

// thread/thread-log
export const newMessages = 'New messages';
export const newMessageCount = '{count} new';
export const latest = 'Latest';
export const messagesWith = 'Messages with {name}';
export const isTyping = '{name} is typing';
export const olderMessagesError = 'Couldn’t load older messages. Retrying…';
export const loadingMessages = 'Loading messages';

// thread/thread-search
export const searching = 'Searching…';
export const searchFailed = 'Search failed. Try again.';
export const noResults = 'No results';
export const searchPosition = '{position} of {hitCount}{moreMark}';
export const searchThisChat = 'Search this chat';
export const previousResult = 'Previous result';
export const nextResult = 'Next result';

// thread/thread-view
export const wantsToChat = '{name} wants to chat.';
export const declineRequestHint = 'They won’t be notified if you decline. They can ask again after 30 days.';
export const accepting = 'Accepting…';
export const accept = 'Accept';
export const declining = 'Declining…';
export const decline = 'Decline';
export const unblock = 'Unblock';
export const chatStart = 'This is the start of your chat with {name}.';
export const chatDetails = 'Chat details';
export const openChatError = 'Couldn’t open this chat.';

// thread/unlock
export const balanceAmount = 'Available {balance}';
export const viewOnceNotice = 'You can view this once.';
export const unlockFor = 'Unlock · {price}';
export const addFundsToUnlock = 'Add funds to unlock';
export const unlock = 'Unlock';
export const priceLabel = 'Price {price}';
export const balanceAfterPurchase = 'After: {balance}';

// thread/use-block
export const userBlocked = 'Blocked {name}.';

// thread/view-once
export const disappearsAutomatically = 'Disappears automatically';
export const viewOncePhotoFrom = 'View-once photo from {name}';
export const viewOnceVideoFrom = 'a view-once video from {name}';
export const viewOnceCloseHint = 'It disappears when you close it.';
export const close = 'Close';
export const viewOnceOpenError = 'Couldn’t open it.';
export const opening = 'Opening…';
export const fromSender = 'From {name}';

// time-format
export const today = 'Today';
export const yesterday = 'Yesterday';
export const tomorrow = 'Tomorrow';

// chat-labels
export const videoCall = 'Video call';
export const voiceCall = 'Voice call';
export const callEnded = '{callKind} ended';
export const callCanceled = 'Canceled {lowerCallKind}';
export const callDeclined = 'Declined {lowerCallKind}';
export const callMissed = 'Missed {lowerCallKind}';
export const callNotAnswered = '{callKind}, no answer';
export const callBusy = '{callKind}, busy';
export const callNotConnected = '{callKind}, not connected';
export const tipOfAmount = 'Tip {amount}';
