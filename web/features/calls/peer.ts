/**
 * A call between two browsers by perfect negotiation (W3C WebRTC, "Perfect negotiation example"): both may offer at any
 * time, and the polite side yields. The impolite side makes the first offer of each connection, after the polite side
 * has greeted it.
 *
 * A greeting is an empty `rollback`. It tells the other side to start over with a new connection. A reloaded page and a
 * device that took the call over send it, because the other side is still connected to a page that no longer exists.
 * Both sides also send it when a connection cannot be repaired.
 */

import { type Heard, isHeard } from './hearing.ts';
import { BEST, nextQuality, type Sample, STEPS } from './quality.ts';
import { readStats } from './stats.ts';
import type { CallSignal, TrackKind, Way, WayEvents } from './way.ts';

export type PeerConfig = Pick<RTCConfiguration, 'iceServers' | 'iceTransportPolicy'>;

export interface PeerOptions extends WayEvents {
  isPolite: boolean;
  config: PeerConfig;
  renew(): Promise<PeerConfig | undefined>;
}

/** The polite side greets again after this time without a connection. */
const PATIENCE_MS = 6_000;
const RESTART_MS = 2_500;
const YOUNG_MS = 2_000;
const LOOK_MS = 1_000;
const GREETING: CallSignal = { description: { type: 'rollback', sdp: '' } };
const ALIVE = 'alive';
type Description = NonNullable<CallSignal['description']>;
type Candidate = NonNullable<CallSignal['candidate']>;

/** The certificate fingerprint in a description. A different one means a different connection. */
function fingerprintOf(sdp: string | undefined): string | undefined {
  return /^a=fingerprint:(.+)$/m.exec(sdp ?? '')?.[1]?.trim();
}

type Link = {
  readonly pc: RTCPeerConnection;
  readonly madeAt: number;
  makingOffer: boolean;
  ignoreOffer: boolean;
  readonly early: Candidate[];
  channel: RTCDataChannel | undefined;
  restart: ReturnType<typeof setTimeout> | undefined;
};

export function openPeer(options: PeerOptions): Way {
  const { isPolite, send, renew } = options;
  const now = () => performance.now();
  const remote = new MediaStream();
  const tracks: Record<TrackKind, MediaStreamTrack | null> = { audio: null, video: null };
  const heard: Heard = { isConnected: false, signAt: undefined, mediaAt: undefined, flowsSince: undefined };
  let config = options.config;
  let quality = BEST;
  let packets = 0;
  let unconnectedSince = now();
  let isClosed = false;
  let link = makeLink();

  function senderOf(kind: TrackKind): RTCRtpSender | undefined {
    const found = link.pc.getTransceivers().find(({ receiver }) => receiver.track.kind === kind);
    if (found && found.direction !== 'sendrecv') found.direction = 'sendrecv';
    return found?.sender;
  }
  function place(kind: TrackKind): void {
    const isSent = heard.flowsSince !== undefined && !(kind === 'video' && quality.level >= STEPS.length);
    const track = isSent ? tracks[kind] : null;
    const sender = senderOf(kind);
    if (sender && sender.track !== track) void sender.replaceTrack(track).catch(() => undefined);
  }
  function placeAll(): void {
    place('audio');
    place('video');
  }

  async function offer(on: Link): Promise<void> {
    try {
      on.makingOffer = true;
      await on.pc.setLocalDescription();
      tell(on);
    } catch {
      // The connection was closed, or the other side's offer came first. The next event decides.
    } finally {
      on.makingOffer = false;
    }
  }
  function tell(on: Link): void {
    const description = on.pc.localDescription;
    if (description && on === link) send({ description: { type: description.type, sdp: description.sdp } });
  }
  function takeChannel(on: Link, channel: RTCDataChannel): void {
    on.channel = channel;
    channel.onopen = () => channel.send('.');
    channel.onmessage = () => {
      if (on === link) heard.signAt = now();
    };
  }
  async function restartOn(on: Link): Promise<void> {
    const fresh = await renew();
    if (isClosed || on !== link) return;
    if (fresh) {
      config = fresh;
      on.pc.setConfiguration(fresh);
    }
    if (on.pc.remoteDescription) on.pc.restartIce();
  }
  function watch(on: Link): void {
    const { connectionState } = on.pc;
    const wasConnected = heard.isConnected;
    heard.isConnected = connectionState === 'connected';
    if (!heard.isConnected && wasConnected) unconnectedSince = now();
    clearTimeout(on.restart);
    if (connectionState === 'failed') void restartOn(on);
    if (connectionState === 'disconnected') on.restart = setTimeout(() => void restartOn(on), RESTART_MS);
  }
  function makeLink(): Link {
    const pc = new RTCPeerConnection(config);
    const made: Link = {
      pc,
      madeAt: now(),
      makingOffer: false,
      ignoreOffer: false,
      early: [],
      channel: undefined,
      restart: undefined,
    };
    pc.onnegotiationneeded = () => {
      // The polite side makes no offer before it has received one.
      if (made === link && (!isPolite || pc.remoteDescription)) void offer(made);
    };
    pc.onicecandidate = ({ candidate }) => {
      if (!candidate?.candidate || made !== link) return;
      const { sdpMid, sdpMLineIndex, usernameFragment } = candidate;
      send({ candidate: { candidate: candidate.candidate, sdpMid, sdpMLineIndex, usernameFragment } });
    };
    pc.ontrack = ({ track }) => {
      for (const old of remote.getTracks()) if (old.kind === track.kind) remote.removeTrack(old);
      remote.addTrack(track);
      options.onRemote(remote);
    };
    pc.ondatachannel = ({ channel }) => takeChannel(made, channel);
    pc.onconnectionstatechange = () => {
      if (made === link) watch(made);
    };
    return made;
  }
  function begin(): void {
    dispose(link);
    heard.isConnected = false;
    heard.signAt = undefined;
    unconnectedSince = now();
    packets = 0;
    link = makeLink();
    if (isPolite) return;
    takeChannel(link, link.pc.createDataChannel(ALIVE, { ordered: false, maxRetransmits: 0 }));
    for (const kind of ['audio', 'video'] as const) link.pc.addTransceiver(kind, { direction: 'sendrecv' });
    placeAll();
  }
  function dispose(on: Link): void {
    clearTimeout(on.restart);
    on.pc.close();
  }
  function greeted(): void {
    if (isPolite) {
      if (link.pc.remoteDescription) begin();
      send(GREETING);
      return;
    }
    const isOffering = link.pc.signalingState === 'have-local-offer' || link.makingOffer;
    if (isOffering && now() - link.madeAt < YOUNG_MS) return;
    begin();
  }
  async function takeDescription({ type, sdp = '' }: Description): Promise<void> {
    const isOffer = type === 'offer';
    const known = fingerprintOf(link.pc.remoteDescription?.sdp);
    if (isOffer && known !== undefined && known !== fingerprintOf(sdp)) begin();
    const on = link;
    const isCollision = isOffer && (on.makingOffer || on.pc.signalingState !== 'stable');
    on.ignoreOffer = !isPolite && isCollision;
    if (on.ignoreOffer) return;
    // The offer was rolled back, so the answer is ignored.
    if (!isOffer && on.pc.signalingState === 'stable') return;
    await on.pc.setRemoteDescription({ type, sdp });
    if (on !== link || isClosed) return;
    placeAll();
    if (isOffer) {
      await on.pc.setLocalDescription();
      tell(on);
    }
    for (const candidate of on.early.splice(0)) await takeCandidate(candidate);
  }
  async function takeCandidate(one: Candidate): Promise<void> {
    const on = link;
    if (!on.pc.remoteDescription) return void on.early.push(one);
    const { candidate, sdpMid = null, sdpMLineIndex = null, usernameFragment = null } = one;
    // The candidate belongs to an earlier connection.
    if (usernameFragment && !on.pc.remoteDescription.sdp.includes(`a=ice-ufrag:${usernameFragment}`)) return;
    try {
      await on.pc.addIceCandidate({ candidate, sdpMid, sdpMLineIndex, usernameFragment });
    } catch (error) {
      if (!on.ignoreOffer && on === link && !isClosed) throw error;
    }
  }

  async function look(): Promise<void> {
    const on = link;
    if (on.channel?.readyState === 'open') on.channel.send('.');
    if (!heard.isConnected) {
      if (isPolite && now() - unconnectedSince > PATIENCE_MS) {
        unconnectedSince = now();
        if (on.pc.remoteDescription) begin();
        send(GREETING);
      }
      return;
    }
    const sample = readStats(await on.pc.getStats());
    if (on !== link || isClosed) return;
    if (sample.received > packets) heard.mediaAt = now();
    packets = sample.received;
    if (heard.flowsSince !== undefined && tracks.video) await step(sample);
  }
  async function step(sample: Sample): Promise<void> {
    const before = quality.level;
    quality = nextQuality(quality, sample);
    if (quality.level === before) return;
    options.onPicture(quality.level < STEPS.length);
    place('video');
    const sender = senderOf('video');
    const wanted = STEPS[quality.level];
    if (!sender || !wanted) return;
    const parameters = sender.getParameters();
    for (const encoding of parameters.encodings) Object.assign(encoding, wanted);
    // If the browser refuses, the picture quality stays unchanged.
    await sender.setParameters(parameters).catch(() => undefined);
  }

  const looking = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  // Signals are processed one after the other, because each depends on the state that the previous one left.
  let work = Promise.resolve();
  const take = async ({ description, candidate }: CallSignal) => {
    if (isClosed) return;
    if (description?.type === 'rollback') greeted();
    else if (description) await takeDescription(description);
    else if (candidate) await takeCandidate(candidate);
  };
  send(GREETING);

  return {
    hear: (signal) => {
      // An invalid description cannot end this connection.
      work = work.then(() => take(signal)).catch(() => undefined);
      return work;
    },
    setTrack: (kind, track) => {
      tracks[kind] = track;
      place(kind);
    },
    setFlowing: (isFlowing) => {
      if (isFlowing === (heard.flowsSince !== undefined)) return;
      heard.flowsSince = isFlowing ? now() : undefined;
      placeAll();
    },
    isHeard: () => isHeard(heard, now()),
    restart: () => void restartOn(link),
    close: () => {
      isClosed = true;
      clearInterval(looking);
      dispose(link);
    },
  };
}
