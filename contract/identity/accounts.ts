/** Accounts and sessions (rows A1–A14, V1–V8). */
import * as z from 'zod/mini';
import { cleanText } from '../shared/clean-text.ts';
import { TEAM_RIGHTS } from '../shared/delegation.ts';
import { instant, sessionId, userId } from '../shared/ids.ts';
import { DESTINATION_LENGTH, NAME_LENGTH, THEME_CODE_LENGTH } from '../shared/limits.ts';
import { balanceFields } from '../shared/money.ts';
import { route } from '../shared/route.ts';
import { singleLineName } from '../shared/single-line-text.ts';

export const USER_TYPES = ['customer', 'creator', 'operator'] as const;
export const userType = z.enum(USER_TYPES);
export type UserType = z.infer<typeof userType>;

/** Listing `_` as a separator too would cause exponential backtracking, because it is a word character (row V1). */
export const EMAIL_PATTERN = /^\w+(?:[.-]\w+)*(?:\+\w+)?@\w+(?:[.-]\w+)*\.[A-Za-z]{2,3}$/;
/** Neither end may be a sign, and no two signs may follow each other (row V2). */
export const USERNAME_LENGTH = 20;
export const USERNAME_PATTERN = /^(?=.{6,20}$)[A-Za-z0-9]+(?:[._][A-Za-z0-9]+)*$/;
const PASSWORD_PATTERN = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z\d!@#$%^&*]{8,}$/;

/** Text of the rules dialog (row A13). */
export const USERNAME_RULES = [
  '6–20 characters',
  'Letters, numbers, periods and underscores only',
  'Can’t start or end with a period or underscore',
  'No consecutive periods or underscores',
] as const;

export const PASSWORD_TOO_SHORT = 'Password must be at least 8 characters long';
export const PASSWORD_RULE =
  'Password must contain at least one lowercase letter, one uppercase letter, one number, one special character one of these !@#$%^&*, and be at least 8 characters long';

export const email = z.string('Please enter email').check(
  z.overwrite((text) => cleanText(text)),
  z.minLength(1, 'Please enter email'),
  z.maxLength(254, 'Invalid email'),
  z.regex(EMAIL_PATTERN, 'Invalid email'),
);
export const username = z.string('Cannot be empty').check(
  z.overwrite((text) => cleanText(text)),
  z.minLength(1, 'Cannot be empty'),
  z.regex(USERNAME_PATTERN, 'Please provide a valid username.'),
);
export const password = z
  .string(PASSWORD_TOO_SHORT)
  .check(
    z.minLength(8, PASSWORD_TOO_SHORT),
    z.maxLength(200, 'Password must be at most 200 characters long'),
    z.regex(PASSWORD_PATTERN, PASSWORD_RULE),
  );
const passwordInput = z
  .string('Please enter password')
  .check(z.minLength(1, 'Please enter password'), z.maxLength(200, 'Incorrect password'));
const token = z
  .string('This link is invalid')
  .check(z.minLength(16, 'This link is invalid'), z.maxLength(200, 'This link is invalid'));
/** A username or an e-mail address. Responses do not reveal whether the account exists. */
const loginName = z.string('Cannot be empty').check(
  z.overwrite((text) => cleanText(text)),
  z.minLength(1, 'Cannot be empty'),
  z.maxLength(254, 'At most 254 characters'),
);
const code = z
  .string('Enter the 6-digit code or a recovery code')
  .check(
    z.trim(),
    z.regex(/^(?:\d{6}|[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4})$/, 'Enter the 6-digit code or a recovery code'),
  );

/** Re-authentication: the password, and a code if two-factor authentication is on. */
export const reauthentication = z.object({ currentPassword: passwordInput, code: z.optional(code) });
export type Reauthentication = z.input<typeof reauthentication>;

export const accountType = z.enum(['customer', 'creator'], 'Please select account type');

/**
 * `next` is the page of this site at which the sign-up began. The link that confirms the email address leads back to
 * it, on any device. An address of another site is ignored.
 */
export const registration = z.object({
  username,
  email,
  password,
  accountType,
  isGiveConsent: z.optional(z.boolean()),
  referralCode: z._default(z.string().check(z.maxLength(40, 'At most 40 characters')), ''),
  next: z.optional(z.string().check(z.maxLength(DESTINATION_LENGTH))),
});
export type Registration = z.input<typeof registration>;
/** `themeCode` is a theme that the visitor has tried before. It is published for the new creator. */
const creatorRegistration = z.extend(registration, {
  themeCode: z.optional(z.string().check(z.maxLength(THEME_CODE_LENGTH))),
});
export type CreatorRegistration = z.input<typeof creatorRegistration>;

const registrationResponse = z.object({ id: userId, username: z.string(), email: z.string(), info: z.string() });
const infoResponse = z.object({ info: z.string() });

export const registerCustomer = route({
  method: 'POST',
  path: '/customer/register',
  summary: 'Sign up as a fan',
  auth: 'public',
  killSwitches: ['signUp'],
  rate: 'sensitive',
  body: registration,
  response: registrationResponse,
  errors: ['CONFLICT'],
});
export const registerCreator = route({
  method: 'POST',
  path: '/auth/register',
  summary: 'Sign up as a creator',
  auth: 'public',
  killSwitches: ['signUp', 'newCreators'],
  rate: 'sensitive',
  body: creatorRegistration,
  response: registrationResponse,
  errors: ['CONFLICT'],
});
export const checkEmail = route({
  method: 'GET',
  path: '/auth/check-email',
  summary: 'Check whether an email is taken',
  auth: 'public',
  rate: 'sensitive',
  query: z.object({ email }),
  response: z.object({ isTaken: z.boolean() }),
});
export const checkUsername = route({
  method: 'GET',
  path: '/auth/check-username',
  summary: 'Check whether a username is taken',
  auth: 'public',
  rate: 'write',
  query: z.object({ username }),
  response: z.object({ isTaken: z.boolean() }),
});

export const verifyEmail = route({
  method: 'POST',
  path: '/auth/verify',
  summary: 'Verify an email',
  auth: 'public',
  rate: 'sensitive',
  body: z.object({ token }),
  /** `next` is the internal path at which the sign-up began. */
  response: z.object({ email: z.string(), next: z.optional(z.string()) }),
  errors: ['NOT_FOUND'],
});
export const resendEmail = route({
  method: 'POST',
  path: '/auth/resend_email',
  summary: 'Resend the verification email',
  auth: 'public',
  rate: 'sensitive',
  body: z.object({ username: loginName }),
  response: infoResponse,
});

export const credentials = z.object({ username: loginName, password: passwordInput, code: z.optional(code) });
export const login = route({
  method: 'POST',
  path: '/auth/login',
  summary: 'Log in by username or email; repeat with `code` if two-factor authentication is on',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: credentials,
  response: z.object({
    id: z.optional(userId),
    type: z.optional(userType),
    isTwoFactorRequired: z.optional(z.boolean()),
    isEmailVerificationRequired: z.optional(z.boolean()),
  }),
  errors: ['account_blocked', 'FORBIDDEN'],
});
/** `standalone` or `browser`, sent with a log-in (row A4). */
export const DISPLAY_MODE_HEADER = 'x-display-mode';

export const logout = route({
  method: 'POST',
  path: '/auth/logout',
  summary: 'Log out of the current session',
  auth: 'public',
  team: 'self',
  allowedInMaintenance: true,
  rate: 'write',
  response: infoResponse,
});

export const viewer = z.object({
  id: userId,
  username: z.string(),
  name: z.string(),
  email: z.string(),
  type: userType,
  avatarUrl: z.nullable(z.string()),
  /** A fan's spendable balance in USD; 0 for others. */
  ...balanceFields,
  isEmailVerified: z.boolean(),
  isTwoFactorEnabled: z.boolean(),
  /**
   * Present while a team member acts for this creator. The owner's private fields, such as the address, are then empty.
   */
  delegation: z.optional(z.object({ name: z.string(), rights: z.array(z.enum(TEAM_RIGHTS)) })),
});
export type Viewer = z.infer<typeof viewer>;
export const getCurrentUser = route({
  method: 'GET',
  path: '/auth/user',
  summary: 'Retrieve the current user',
  auth: 'session',
  team: 'any',
  rate: 'read',
  response: viewer,
});

export const passwordResetRequest = z.object({ email });
export const requestPasswordReset = route({
  method: 'POST',
  path: '/auth/forgot-password',
  summary: 'Request a password reset email; the response does not reveal whether the account exists',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: passwordResetRequest,
  response: infoResponse,
});
export const passwordResetBody = z.object({ token, newPassword: password });
export const resetPassword = route({
  method: 'POST',
  path: '/auth/reset-password',
  summary: 'Reset the password with the emailed token; ends all sessions',
  auth: 'public',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: passwordResetBody,
  response: infoResponse,
  errors: ['NOT_FOUND'],
});
/** The proof is valid in this session for 5 minutes. It lets a client change the password with `newPassword` alone. */
export const proveIdentity = route({
  method: 'POST',
  path: '/auth/prove-identity',
  summary: 'Confirm the user’s identity for a password change in the next 5 minutes',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: reauthentication,
  response: infoResponse,
  errors: ['FORBIDDEN'],
});
/**
 * Without `currentPassword` the session needs a proof of identity from the last 5 minutes. The change ends all other
 * sessions.
 */
export const changePassword = route({
  method: 'POST',
  path: '/customer/profile-pass-change',
  summary: 'Change the password; requires `code` if two-factor authentication is on',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: z.object({ newPassword: password, currentPassword: z.optional(passwordInput), code: z.optional(code) }),
  response: infoResponse,
  errors: ['FORBIDDEN'],
});

export const session = z.object({
  id: sessionId,
  device: z.string(),
  displayMode: z.enum(['standalone', 'browser']),
  createdAt: instant,
  lastSeenAt: instant,
  isCurrent: z.boolean(),
});
export type Session = z.infer<typeof session>;
export const listSessions = route({
  method: 'GET',
  path: '/auth/sessions',
  summary: 'List active sessions',
  auth: 'session',
  rate: 'read',
  response: z.object({ data: z.array(session) }),
});
export const revokeSession = route({
  method: 'DELETE',
  path: '/auth/sessions/:id',
  summary: 'End a session',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  params: z.object({ id: sessionId }),
  response: infoResponse,
  errors: ['NOT_FOUND'],
});
export const revokeOtherSessions = route({
  method: 'POST',
  path: '/auth/sessions/revoke-others',
  summary: 'End all other sessions',
  auth: 'session',
  allowedInMaintenance: true,
  rate: 'write',
  response: infoResponse,
});

/** Of the invitation as staff. Case is ignored. */
export const invitationCode = z
  .string('Enter the code of your invitation')
  .check(
    z.trim(),
    z.toLowerCase(),
    z.regex(/^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/, 'Enter the code of your invitation'),
  );
/** Staff need the code of their invitation, too. */
export const twoFactorSetupBody = z.object({
  currentPassword: passwordInput,
  invitationCode: z.optional(invitationCode),
});
export const startTwoFactorSetup = route({
  method: 'POST',
  path: '/auth/two-factor/setup',
  summary: 'Create a two-factor secret and QR code; inactive until confirmed',
  auth: 'session',
  rate: 'sensitive',
  body: twoFactorSetupBody,
  response: z.object({ secret: z.string(), otpauthUrl: z.string(), qrSvg: z.string() }),
  errors: ['FORBIDDEN', 'CONFLICT'],
});
export const twoFactorEnableBody = z.object({ code });
export const enableTwoFactor = route({
  method: 'POST',
  path: '/auth/two-factor/enable',
  summary: 'Enable two-factor authentication with a code; returns the recovery codes once',
  auth: 'session',
  rate: 'sensitive',
  body: twoFactorEnableBody,
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['CONFLICT'],
});
export const twoFactorDisableBody = z.object({ currentPassword: passwordInput, code });
export const disableTwoFactor = route({
  method: 'POST',
  path: '/auth/two-factor/disable',
  summary: 'Disable two-factor authentication',
  auth: 'session',
  rate: 'sensitive',
  body: twoFactorDisableBody,
  response: infoResponse,
  errors: ['FORBIDDEN', 'CONFLICT'],
});

export const profileName = singleLineName(NAME_LENGTH);
