import * as contract from '@stagedoor/contract/identity/accounts.ts';
import type { ModuleHost } from '../../../platform/http/routing.ts';
import { unblockExpired } from './blocking.ts';
import { serveChangePasswordAddress } from './change-password-address.ts';
import { readCallerDevice, setDeviceCookie } from './known-devices.ts';
import { login, logout } from './login.ts';
import { requestMail, sendRequestedMail, verifyEmail } from './mail-tokens.ts';
import { changePassword, resetPassword } from './password-change.ts';
import { proveIdentity } from './reauthentication.ts';
import { isNameTaken, registerAccount } from './registration.ts';
import * as sessions from './sessions.ts';
import * as texts from './texts.ts';
import { disableTwoFactor, enableTwoFactor, startTwoFactorSetup } from './two-factor.ts';
import { getViewer } from './viewer.ts';

export function register(host: ModuleHost): void {
  const { ctx } = host;
  ctx.sessions.setFinder(sessions.createSessionFinder(ctx));
  ctx.jobs.schedule('accounts.unblockExpired', '*/5 * * * *', () => unblockExpired(ctx));
  ctx.jobs.schedule('accounts.purge', '17 * * * *', () => sessions.purgeExpired(ctx));
  const mailJobOptions = {
    queue: 'quick',
    subject: ({ name }: { name: string }) => `mail:${name.trim().toLowerCase()}`,
  } as const;
  ctx.events.addJobHandler('account.mailRequested', 'accounts.mail', mailJobOptions, ({ payload }) =>
    sendRequestedMail(ctx, payload),
  );
  serveChangePasswordAddress(host);
  bindSignUp(host);
  bindLogin(host);
  bindPasswords(host);
  bindSessions(host);
  bindTwoFactor(host);
}

function bindSignUp({ bind, ctx }: ModuleHost): void {
  bind(contract.registerCustomer, ({ body, request }) =>
    registerAccount(ctx, 'customer', body, readCallerDevice(ctx, request)),
  );
  bind(contract.registerCreator, ({ body, request }) =>
    registerAccount(ctx, 'creator', body, readCallerDevice(ctx, request)),
  );
  bind(contract.checkEmail, async ({ query }) => ({ isTaken: await isNameTaken(ctx, { email: query.email }) }));
  bind(contract.checkUsername, async ({ query }) => ({
    isTaken: await isNameTaken(ctx, { username: query.username }),
  }));
  bind(contract.verifyEmail, ({ body }) => verifyEmail(ctx, body.token));
  bind(contract.resendEmail, async ({ body }) => {
    await requestMail(ctx, 'verify', body.username);
    return { info: texts.confirmationEmailSent };
  });
}

function bindLogin({ bind, ctx }: ModuleHost): void {
  bind(contract.login, async ({ body, actor, request, reply }) => {
    const outcome = await login(ctx, body, sessions.readSessionOrigin(request), readCallerDevice(ctx, request), actor);
    if (outcome.state === 'twoFactorRequired') return { isTwoFactorRequired: true };
    if (outcome.state === 'verificationRequired') return { isEmailVerificationRequired: true };
    sessions.setCookies(ctx, reply, outcome.token);
    setDeviceCookie(ctx, reply, outcome.deviceCookie);
    return { id: outcome.id, type: outcome.type };
  });
  bind(contract.logout, async ({ actor, reply }) => {
    await logout(ctx, actor);
    sessions.clearCookies(ctx, reply);
    return { info: texts.loggedOut };
  });
  bind(contract.getCurrentUser, async ({ actor, request, reply }) => {
    const viewer = await getViewer(ctx, actor);
    sessions.renewCookies(ctx, actor, request, reply);
    return viewer;
  });
}

function bindPasswords({ bind, ctx }: ModuleHost): void {
  bind(contract.requestPasswordReset, async ({ body }) => {
    await requestMail(ctx, 'reset', body.email);
    return { info: texts.resetLinkSent };
  });
  bind(contract.resetPassword, async ({ body, request, reply }) => {
    setDeviceCookie(ctx, reply, await resetPassword(ctx, body, readCallerDevice(ctx, request)));
    return { info: texts.passwordResetDone };
  });
  bind(contract.proveIdentity, async ({ actor, body }) => {
    await proveIdentity(ctx, actor, body);
    return { info: texts.identityConfirmed };
  });
  bind(contract.changePassword, async ({ body, actor, request, reply }) => {
    setDeviceCookie(ctx, reply, await changePassword(ctx, actor, body, readCallerDevice(ctx, request)));
    return { info: texts.passwordChanged };
  });
}

function bindSessions({ bind, ctx }: ModuleHost): void {
  bind(contract.listSessions, async ({ actor }) => ({ data: await sessions.listSessions(ctx, actor) }));
  bind(contract.revokeSession, async ({ actor, params, reply }) => {
    await sessions.revokeSession(ctx, actor, params.id);
    if (params.id === actor.sessionId) sessions.clearCookies(ctx, reply);
    return { info: texts.deviceLoggedOut };
  });
  bind(contract.revokeOtherSessions, async ({ actor }) => {
    const count = await sessions.revokeOtherSessions(ctx, actor);
    return { info: count === 0 ? texts.notLoggedInElsewhere : texts.otherDevicesLoggedOut };
  });
}

function bindTwoFactor({ bind, ctx }: ModuleHost): void {
  bind(contract.startTwoFactorSetup, ({ actor, body }) => startTwoFactorSetup(ctx, actor, body));
  bind(contract.enableTwoFactor, async ({ actor, body }) => ({
    recoveryCodes: await enableTwoFactor(ctx, actor, body),
  }));
  bind(contract.disableTwoFactor, async ({ actor, body }) => {
    await disableTwoFactor(ctx, actor, body);
    return { info: texts.twoFactorOff };
  });
}
