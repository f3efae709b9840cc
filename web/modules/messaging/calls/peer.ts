/**
 * A call between two browsers by perfect negotiation (W3C WebRTC, "Perfect negotiation example"): both may offer at any
 * time, and the polite side yields. The impolite side makes the first offer of each connection, after the polite side
 * has greeted it.
 *
 * A greeting is an empty `rollback`. It makes the other side start over with a new connection. A reloaded page and a
 * device that took the call over send it, because the other side is still connected to a page that no longer exists.
 * Both sides also send it when a connection cannot be repaired.
 */

import { type ConnectionSignals, isOtherSideAlive } from './liveness.ts';
import type { CallSignal, MediaConnection, MediaConnectionEvents, TrackKind } from './media-connection.ts';
import { BEST_QUALITY, type ConnectionSample, QUALITY_STEPS, toNextQuality } from './quality.ts';
import { toConnectionSample } from './stats.ts';

export type PeerConfig = Pick<RTCConfiguration, 'iceServers' | 'iceTransportPolicy'>;

export interface PeerOptions extends MediaConnectionEvents {
  isPolite: boolean;
  config: PeerConfig;
  renew(): Promise<PeerConfig | undefined>;
}

/** The polite side greets again after this time without a connection. */
const GREETING_INTERVAL_MS = 6_000;
const RESTART_MS = 2_500;
const MIN_OFFER_AGE_MS = 2_000;
const CHECK_INTERVAL_MS = 1_000;
const GREETING: CallSignal = { description: { type: 'rollback', sdp: '' } };
const CHANNEL_LABEL = 'alive';
type Description = NonNullable<CallSignal['description']>;
type Candidate = NonNullable<CallSignal['candidate']>;

/** The certificate fingerprint in a description. A different one means a different connection. */
function findFingerprint(sdp: string | undefined): string | undefined {
  return /^a=fingerprint:(.+)$/m.exec(sdp ?? '')?.[1]?.trim();
}

type PeerLink = {
  readonly pc: RTCPeerConnection;
  readonly createdAt: number;
  makingOffer: boolean;
  ignoreOffer: boolean;
  readonly earlyCandidates: Candidate[];
  channel: RTCDataChannel | undefined;
  restartTimer: ReturnType<typeof setTimeout> | undefined;
};

export function openPeerConnection(options: PeerOptions): MediaConnection {
  const { isPolite, send, renew } = options;
  const getNow = () => performance.now();
  const remote = new MediaStream();
  const tracks: Record<TrackKind, MediaStreamTrack | null> = { audio: null, video: null };
  const signals: ConnectionSignals = {
    isConnected: false,
    lastHeartbeatAt: undefined,
    lastMediaAt: undefined,
    mediaSince: undefined,
  };
  let config = options.config;
  let quality = BEST_QUALITY;
  let packets = 0;
  let unconnectedSince = getNow();
  let isClosed = false;
  let link = createLink();

  function findSender(kind: TrackKind): RTCRtpSender | undefined {
    const transceiver = link.pc.getTransceivers().find(({ receiver }) => receiver.track.kind === kind);
    if (transceiver && transceiver.direction !== 'sendrecv') transceiver.direction = 'sendrecv';
    return transceiver?.sender;
  }
  function syncTrack(kind: TrackKind): void {
    const isSent = signals.mediaSince !== undefined && !(kind === 'video' && quality.level >= QUALITY_STEPS.length);
    const track = isSent ? tracks[kind] : null;
    const sender = findSender(kind);
    if (sender && sender.track !== track) void sender.replaceTrack(track).catch(() => undefined);
  }
  function syncTracks(): void {
    syncTrack('audio');
    syncTrack('video');
  }

  async function sendOffer(target: PeerLink): Promise<void> {
    try {
      target.makingOffer = true;
      await target.pc.setLocalDescription();
      sendDescription(target);
    } catch {
      // The connection was closed, or the other side's offer came first. The next event decides.
    } finally {
      target.makingOffer = false;
    }
  }
  function sendDescription(target: PeerLink): void {
    const description = target.pc.localDescription;
    if (description && target === link) send({ description: { type: description.type, sdp: description.sdp } });
  }
  function attachChannel(target: PeerLink, channel: RTCDataChannel): void {
    target.channel = channel;
    channel.onopen = () => channel.send('.');
    channel.onmessage = () => {
      if (target === link) signals.lastHeartbeatAt = getNow();
    };
  }
  async function restartLink(target: PeerLink): Promise<void> {
    const newConfig = await renew();
    if (isClosed || target !== link) return;
    if (newConfig) {
      config = newConfig;
      target.pc.setConfiguration(newConfig);
    }
    if (target.pc.remoteDescription) target.pc.restartIce();
  }
  function handleConnectionState(target: PeerLink): void {
    const { connectionState } = target.pc;
    const wasConnected = signals.isConnected;
    signals.isConnected = connectionState === 'connected';
    if (!signals.isConnected && wasConnected) unconnectedSince = getNow();
    clearTimeout(target.restartTimer);
    if (connectionState === 'failed') void restartLink(target);
    if (connectionState === 'disconnected')
      target.restartTimer = setTimeout(() => void restartLink(target), RESTART_MS);
  }
  function createLink(): PeerLink {
    const pc = new RTCPeerConnection(config);
    const newLink: PeerLink = {
      pc,
      createdAt: getNow(),
      makingOffer: false,
      ignoreOffer: false,
      earlyCandidates: [],
      channel: undefined,
      restartTimer: undefined,
    };
    pc.onnegotiationneeded = () => {
      // The polite side makes no offer before it has received one.
      if (newLink === link && (!isPolite || pc.remoteDescription)) void sendOffer(newLink);
    };
    pc.onicecandidate = ({ candidate }) => {
      if (!candidate?.candidate || newLink !== link) return;
      const { sdpMid, sdpMLineIndex, usernameFragment } = candidate;
      send({ candidate: { candidate: candidate.candidate, sdpMid, sdpMLineIndex, usernameFragment } });
    };
    pc.ontrack = ({ track }) => {
      for (const old of remote.getTracks()) if (old.kind === track.kind) remote.removeTrack(old);
      remote.addTrack(track);
      options.onRemote(remote);
    };
    pc.ondatachannel = ({ channel }) => attachChannel(newLink, channel);
    pc.onconnectionstatechange = () => {
      if (newLink === link) handleConnectionState(newLink);
    };
    return newLink;
  }
  function startOver(): void {
    disposeLink(link);
    signals.isConnected = false;
    signals.lastHeartbeatAt = undefined;
    unconnectedSince = getNow();
    packets = 0;
    link = createLink();
    if (isPolite) return;
    attachChannel(link, link.pc.createDataChannel(CHANNEL_LABEL, { ordered: false, maxRetransmits: 0 }));
    for (const kind of ['audio', 'video'] as const) link.pc.addTransceiver(kind, { direction: 'sendrecv' });
    syncTracks();
  }
  function disposeLink(target: PeerLink): void {
    clearTimeout(target.restartTimer);
    target.pc.close();
  }
  function handleGreeting(): void {
    if (isPolite) {
      if (link.pc.remoteDescription) startOver();
      send(GREETING);
      return;
    }
    const isOffering = link.pc.signalingState === 'have-local-offer' || link.makingOffer;
    if (isOffering && getNow() - link.createdAt < MIN_OFFER_AGE_MS) return;
    startOver();
  }
  async function handleDescription({ type, sdp = '' }: Description): Promise<void> {
    const isOffer = type === 'offer';
    const knownFingerprint = findFingerprint(link.pc.remoteDescription?.sdp);
    if (isOffer && knownFingerprint !== undefined && knownFingerprint !== findFingerprint(sdp)) startOver();
    const target = link;
    const isCollision = isOffer && (target.makingOffer || target.pc.signalingState !== 'stable');
    target.ignoreOffer = !isPolite && isCollision;
    if (target.ignoreOffer) return;
    // The offer was rolled back, so the answer is ignored.
    if (!isOffer && target.pc.signalingState === 'stable') return;
    await target.pc.setRemoteDescription({ type, sdp });
    if (target !== link || isClosed) return;
    syncTracks();
    if (isOffer) {
      await target.pc.setLocalDescription();
      sendDescription(target);
    }
    for (const candidate of target.earlyCandidates.splice(0)) await handleCandidate(candidate);
  }
  async function handleCandidate(candidateInit: Candidate): Promise<void> {
    const target = link;
    if (!target.pc.remoteDescription) return void target.earlyCandidates.push(candidateInit);
    const { candidate, sdpMid = null, sdpMLineIndex = null, usernameFragment = null } = candidateInit;
    // The candidate belongs to an earlier connection.
    if (usernameFragment && !target.pc.remoteDescription.sdp.includes(`a=ice-ufrag:${usernameFragment}`)) return;
    try {
      await target.pc.addIceCandidate({ candidate, sdpMid, sdpMLineIndex, usernameFragment });
    } catch (error) {
      if (!target.ignoreOffer && target === link && !isClosed) throw error;
    }
  }

  async function checkConnection(): Promise<void> {
    const target = link;
    if (target.channel?.readyState === 'open') target.channel.send('.');
    if (!signals.isConnected) {
      if (isPolite && getNow() - unconnectedSince > GREETING_INTERVAL_MS) {
        unconnectedSince = getNow();
        if (target.pc.remoteDescription) startOver();
        send(GREETING);
      }
      return;
    }
    const sample = toConnectionSample(await target.pc.getStats());
    if (target !== link || isClosed) return;
    if (sample.received > packets) signals.lastMediaAt = getNow();
    packets = sample.received;
    if (signals.mediaSince !== undefined && tracks.video) await adjustQuality(sample);
  }
  async function adjustQuality(sample: ConnectionSample): Promise<void> {
    const levelBefore = quality.level;
    quality = toNextQuality(quality, sample);
    if (quality.level === levelBefore) return;
    options.onVideoSending(quality.level < QUALITY_STEPS.length);
    syncTrack('video');
    const sender = findSender('video');
    const wantedStep = QUALITY_STEPS[quality.level];
    if (!sender || !wantedStep) return;
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) Object.assign(encoding, wantedStep);
    // If the browser refuses, the picture quality stays unchanged.
    await sender.setParameters(parameters).catch(() => undefined);
  }

  const checkTimer = setInterval(() => void checkConnection().catch(() => undefined), CHECK_INTERVAL_MS);
  // Signals are processed one after the other, because each depends on the state that the previous one left.
  let signalQueue = Promise.resolve();
  const processSignal = async ({ description, candidate }: CallSignal) => {
    if (isClosed) return;
    if (description?.type === 'rollback') handleGreeting();
    else if (description) await handleDescription(description);
    else if (candidate) await handleCandidate(candidate);
  };
  send(GREETING);

  return {
    handleSignal: (signal) => {
      // An invalid description cannot end this connection.
      signalQueue = signalQueue.then(() => processSignal(signal)).catch(() => undefined);
      return signalQueue;
    },
    setTrack: (kind, track) => {
      tracks[kind] = track;
      syncTrack(kind);
    },
    setSending: (isFlowing) => {
      if (isFlowing === (signals.mediaSince !== undefined)) return;
      signals.mediaSince = isFlowing ? getNow() : undefined;
      syncTracks();
    },
    isAlive: () => isOtherSideAlive(signals, getNow()),
    restart: () => void restartLink(link),
    close: () => {
      isClosed = true;
      clearInterval(checkTimer);
      disposeLink(link);
    },
  };
}
