// agreement-step
export const creatorAgreement = 'Creator agreement';
export const close = 'Close';
export const readAllSections = 'Read all {sectionCount} sections';
export const agreement = 'Agreement';
export const readyToSubmit = 'Ready to submit';
export const readAndSign = 'Read and sign';
export const signedOn = 'Signed {signedAt}.';
export const agreementChanged = 'The agreement has changed since you signed it.';
export const signedAs = 'Signed as {typedName}';
export const sending = 'Sending…';
export const submit = 'Submit';
export const sign = 'Sign';
export const signAndSubmit = 'Sign and submit';
export const typeLegalNameOption = 'Or type your full legal name';
export const yourFullLegalName = 'Your full legal name';
export const signatureRequired = 'Sign above or type your full legal name.';

// camera
export const cameraBlockedError = 'Camera access is blocked. Allow it in your browser’s address bar or upload a photo.';
export const noCameraError = 'No camera found. Upload a photo or continue on your phone.';
export const cameraInUseError = 'Your camera is in use by another app. Close it and try again, or upload a photo.';
export const cameraHttpsError = 'The camera only works over HTTPS. Upload a photo instead.';
export const cameraOpenError = 'Couldn’t open the camera. Try again or upload a photo.';

// details-form
export const verifyYourIdentity = 'Verify your identity';
export const legalDetailsHint = 'As shown on your ID. Fans never see this.';
export const saving = 'Saving…';
export const continueButton = 'Continue';
export const fullLegalName = 'Full legal name';
export const dateOfBirth = 'Date of birth';
export const issuingCountry = 'Issuing country';
export const chooseACountry = 'Choose a country';
export const documentField = 'Document';
export const previousPhotosDeletedNotice = 'Photos of your previous ID will be deleted.';

// frame-advice
export const documentCornersAdvice = 'Bring all four corners into view.';
export const documentTooDark = 'Too dark. Turn on a light.';
export const documentTooBright = 'Too bright. Move it out of the light.';
export const documentGlare = 'Glare. Tilt it slightly.';
export const holdStill = 'Hold still.';
export const documentBlurry = 'Blurry. Move back a little.';
export const documentReady = 'Sharp and well lit. Take the photo.';
export const faceCenterAdvice = 'Center your face in the oval.';
export const faceTooDark = 'Too dark. Face a window.';
export const faceTooBright = 'Too bright. Turn away from the light.';
export const faceBacklight = 'Backlight. Turn slightly.';
export const faceBlurry = 'Blurry. Wipe the lens or move back a little.';
export const faceReady = 'Good light. Keep your face in the oval.';

// picture-step
export const inFrame = 'In frame';
export const cutOff = 'Cut off';
export const glare = 'Glare';
export const emptyFileError = 'This file is empty.';
export const photoTooLargeError = 'This photo is larger than {maxSize}.';
export const takePhoto = 'Take photo';
export const opening = 'Opening…';
export const tryCameraAgain = 'Try the camera again';
export const openCamera = 'Open camera';
export const selfieUseNotice = 'Only used to match your ID. Deleted {retentionDays} days after the decision.';
export const selfieClarityHint = 'If you can see it, so can we.';
export const documentClarityHint = 'If you can read it, so can we.';
export const imageTooSmallError = 'Image too small. Use at least {minPixels} pixels.';
export const sendingProgress = 'Sending';
export const checkingProgress = 'Checking';
export const sendAgain = 'Send again';
export const useThisPhoto = 'Use this photo';
export const retake = 'Retake';
export const noPreviewNotice = 'Your browser can’t preview this format, but you can still send it.';
export const photoSent = 'Sent {sentAt}. We keep it encrypted.';

// review-status
export const missing = 'Missing';
export const accepted = 'Accepted';
export const approved = 'Approved';
export const notSigned = 'Not signed';
export const newVersionToSign = 'New version to sign';
export const agreementSigned = 'Agreement signed';
export const done = 'Done';
export const yourDocuments = 'Your documents';
export const setUpPageMeanwhile = '{answerTime} You can set up your page in the meantime.';
export const setUpMyPage = 'Set up my page';
export const goToDashboard = 'Go to dashboard';
export const retakeDocument = 'Retake {documentSide}';
export const useAnotherDocument = 'Use another document';
export const resubmit = 'Resubmit';
export const contactSupport = 'Contact support';
export const verified = 'Verified';
export const sent = 'Sent';

// signature-pad
export const signaturePadHint = 'Sign with your finger, a pen or your mouse';
export const clear = 'Clear';
export const signaturePadEmpty = 'Signature pad, empty';
export const yourSignature = 'Your signature';

// step-frame
export const back = 'Back';
export const stepProgress = 'Step {step} of {stepCount}';
export const saveAndClose = 'Save and close';

// viewfinder
export const cameraPreview = 'Camera preview';
export const uploadPhotoInstead = 'Upload a photo instead';
export const cameraPermissionHint = 'Your browser will ask for camera access. It’s only used for this step.';

// zoom-picture
export const smallerPicture = 'Zoom out: {pictureName}';
export const largerPicture = 'Larger: {pictureName}';
