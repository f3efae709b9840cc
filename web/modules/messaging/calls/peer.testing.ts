/**
 * A fake RTCPeerConnection with the states of W3C "WebRTC: Real-Time Communication in Browsers": signalling with
 * implicit descriptions and rollback (4.4.1), negotiation-needed (4.7.3), ICE restarts (4.4.3.7) and candidates by
 * ufrag (4.4.2). It has no media. Two connections are connected when each has the other's certificate and current ICE
 * password and the network is up.
 */

type Description = { type: 'offer' | 'answer'; sdp: string };
type Candidate = { candidate: string; usernameFragment: string | null };
type SdpParts = { fingerprint: string; ufrag: string; kinds: string[]; hasChannel: boolean };

const formatSdp = ({ fingerprint, ufrag, kinds, hasChannel }: SdpParts) =>
  [`a=fingerprint:${fingerprint}`, `a=ice-ufrag:${ufrag}`, `k=${kinds.join()}`, `d=${hasChannel}`, ''].join('\r\n');
const parseSdp = (sdp: string): SdpParts => ({
  fingerprint: /a=fingerprint:(.*)\r/.exec(sdp)?.[1] ?? '',
  ufrag: /a=ice-ufrag:(.*)\r/.exec(sdp)?.[1] ?? '',
  kinds: (/k=(.*)\r/.exec(sdp)?.[1] ?? '').split(',').filter(Boolean),
  hasChannel: /d=true\r/.test(sdp),
});
const createDomException = (name: string) => new DOMException(name, name);

export class FakeTrack extends EventTarget implements MediaStreamTrack {
  contentHint = '';
  enabled = true;
  readonly id = '';
  readonly kind: string;
  readonly label = '';
  readonly muted = false;
  onended = null;
  onmute = null;
  onunmute = null;
  readyState: MediaStreamTrackState = 'live';
  readonly copies: FakeTrack[] = [];
  constructor(kind: string) {
    super();
    this.kind = kind;
  }
  clone(): FakeTrack {
    const copy = new FakeTrack(this.kind);
    copy.enabled = this.enabled;
    this.copies.push(copy);
    return copy;
  }
  stop(): void {
    this.readyState = 'ended';
  }
  applyConstraints(): Promise<void> {
    return Promise.resolve();
  }
  getCapabilities(): MediaTrackCapabilities {
    return {};
  }
  getConstraints(): MediaTrackConstraints {
    return {};
  }
  getSettings(): MediaTrackSettings {
    return {};
  }
}

export class FakeStream {
  readonly #tracks = new Set<FakeTrack>();
  getTracks(): FakeTrack[] {
    return [...this.#tracks];
  }
  addTrack(track: FakeTrack): void {
    this.#tracks.add(track);
  }
  removeTrack(track: FakeTrack): void {
    this.#tracks.delete(track);
  }
}

class FakeChannel {
  readyState = 'connecting';
  onopen: (() => void) | undefined;
  onmessage: (() => void) | undefined;
  other: FakeChannel | undefined;
  send(): void {
    const { other } = this;
    setTimeout(() => other?.readyState === 'open' && other.onmessage?.());
  }
}

class FakeSender {
  track: FakeTrack | null = null;
  encodings: object[] = [{}];
  getParameters(): { encodings: object[] } {
    return { encodings: this.encodings.map((one) => ({ ...one })) };
  }
  async setParameters({ encodings }: { encodings: object[] }): Promise<void> {
    this.encodings = encodings;
  }
  async replaceTrack(track: FakeTrack | null): Promise<void> {
    this.track = track;
  }
}

class FakeTransceiver {
  direction: string;
  readonly sender = new FakeSender();
  readonly receiver: { track: FakeTrack };
  constructor(kind: string, direction: string) {
    this.receiver = { track: new FakeTrack(kind) };
    this.direction = direction;
  }
}

export class FakeNetwork {
  readonly all: FakeConnection[] = [];
  readonly errors: string[] = [];
  isUp = true;
  #count = 0;
  createName(): string {
    this.#count += 1;
    return `n${this.#count}`;
  }
  listOpen(): FakeConnection[] {
    return this.all.filter(({ connectionState }) => connectionState !== 'closed');
  }
  setUp(isUp: boolean): void {
    this.isUp = isUp;
    for (const one of this.listOpen())
      if (!isUp && one.connectionState === 'connected') one.setConnectionState('disconnected');
    if (!isUp) setTimeout(() => this.#fail(), 5_000);
  }
  #fail(): void {
    if (!this.isUp)
      for (const one of this.listOpen()) if (one.connectionState === 'disconnected') one.setConnectionState('failed');
  }
  connectMatching(): void {
    for (const one of this.listOpen())
      for (const other of this.listOpen())
        if (this.isUp && one !== other && one.matches(other) && other.matches(one)) one.connectTo(other);
  }
}

export class FakeConnection {
  static network = new FakeNetwork();
  connectionState = 'new';
  onnegotiationneeded: (() => void) | undefined;
  onicecandidate: ((event: { candidate: object | null }) => void) | undefined;
  ontrack: ((event: { track: FakeTrack }) => void) | undefined;
  ondatachannel: ((event: { channel: FakeChannel }) => void) | undefined;
  onconnectionstatechange: (() => void) | undefined;
  config: object;
  readonly candidates: string[] = [];
  readonly stats = new Map<string, object>();
  readonly #network = FakeConnection.network;
  readonly #fingerprint: string;
  readonly #transceivers: FakeTransceiver[] = [];
  #ufrag: string;
  #local: { pending?: Description | undefined; current?: Description | undefined } = {};
  #remote: { pending?: Description | undefined; current?: Description | undefined } = {};
  #channel: FakeChannel | undefined;
  #isNeeded = false;
  #wantsRestart = false;
  #joinedUfrag = '';

  constructor(config: object) {
    this.config = config;
    this.#fingerprint = this.#network.createName();
    this.#ufrag = this.#network.createName();
    this.#network.all.push(this);
  }

  get signalingState(): string {
    if (this.connectionState === 'closed') return 'closed';
    return this.#local.pending ? 'have-local-offer' : this.#remote.pending ? 'have-remote-offer' : 'stable';
  }
  get localDescription(): Description | null {
    return this.#local.pending ?? this.#local.current ?? null;
  }
  get remoteDescription(): Description | null {
    return this.#remote.pending ?? this.#remote.current ?? null;
  }
  getTransceivers(): FakeTransceiver[] {
    return this.#transceivers;
  }
  getStats(): Promise<Map<string, object>> {
    return Promise.resolve(this.stats);
  }
  setConfiguration(config: object): void {
    this.config = config;
  }
  createDataChannel(): FakeChannel {
    this.#channel = new FakeChannel();
    this.#requestNegotiation();
    return this.#channel;
  }
  addTransceiver(kind: string, { direction }: { direction: string }): void {
    this.#transceivers.push(new FakeTransceiver(kind, direction));
    this.#requestNegotiation();
  }
  restartIce(): void {
    this.#wantsRestart = true;
    this.#requestNegotiation();
  }
  close(): void {
    this.connectionState = 'closed';
    if (this.#channel) this.#channel.readyState = 'closed';
  }

  async setLocalDescription(): Promise<void> {
    await this.#delayOperation();
    const type = this.signalingState === 'have-remote-offer' ? 'answer' : 'offer';
    if (type === 'offer' && (this.#wantsRestart || this.signalingState === 'have-local-offer'))
      this.#ufrag = this.#network.createName();
    if (type === 'answer' && this.#isRestarted()) this.#ufrag = this.#network.createName();
    const kinds = this.#transceivers.map(({ receiver }) => receiver.track.kind);
    const parts = {
      fingerprint: this.#fingerprint,
      ufrag: this.#ufrag,
      kinds,
      hasChannel: this.#channel !== undefined,
    };
    const description: Description = { type, sdp: formatSdp(parts) };
    if (type === 'offer') this.#local.pending = description;
    else {
      this.#local = { current: description };
      this.#remote = { current: this.#remote.pending };
    }
    this.#gather(this.#ufrag);
    this.#finishStep();
  }

  async setRemoteDescription({ type, sdp }: Description): Promise<void> {
    await this.#delayOperation();
    const state = this.signalingState;
    if (type === 'answer' && state !== 'have-local-offer') throw this.#recordError(`an answer in ${state}`);
    const { fingerprint, kinds, hasChannel } = parseSdp(sdp);
    const known = parseSdp(this.#remote.current?.sdp ?? '').fingerprint;
    if (known && known !== fingerprint) throw this.#recordError('another certificate in one connection');
    if (type === 'offer') {
      // Rolls back its own pending offer and marks the negotiation as needed again.
      if (this.#local.pending) this.#isNeeded = true;
      this.#local = { current: this.#local.current };
      this.#remote.pending = { type, sdp };
    } else {
      this.#local = { current: this.#local.pending };
      this.#remote = { current: { type, sdp } };
      this.#wantsRestart = false;
    }
    for (const kind of kinds) {
      const present = this.#transceivers.find(({ receiver }) => receiver.track.kind === kind);
      if (!present) this.#transceivers.push(new FakeTransceiver(kind, 'recvonly'));
      const track = this.#transceivers.find(({ receiver }) => receiver.track.kind === kind)?.receiver.track;
      if (track && !known) this.ontrack?.({ track });
    }
    if (hasChannel && !this.#channel) {
      this.#channel = new FakeChannel();
      this.ondatachannel?.({ channel: this.#channel });
    }
    this.#finishStep();
  }

  async addIceCandidate({ candidate, usernameFragment }: Candidate): Promise<void> {
    await this.#delayOperation();
    const { remoteDescription } = this;
    if (!remoteDescription) throw this.#recordError('a candidate before any description');
    if (usernameFragment && parseSdp(remoteDescription.sdp).ufrag !== usernameFragment)
      throw this.#recordError('a candidate of no generation');
    this.candidates.push(candidate);
  }

  setConnectionState(state: string): void {
    if (this.connectionState === 'closed' || this.connectionState === state) return;
    this.connectionState = state;
    this.onconnectionstatechange?.();
  }
  matches(other: FakeConnection): boolean {
    const { fingerprint, ufrag } = parseSdp(this.#remote.current?.sdp ?? '');
    return this.signalingState === 'stable' && fingerprint === other.#fingerprint && ufrag === other.#ufrag;
  }
  connectTo(other: FakeConnection): void {
    // A failed connection stays failed until a new ICE generation is agreed on.
    if (this.connectionState === 'failed' && this.#joinedUfrag === this.#ufrag) return;
    this.#joinedUfrag = this.#ufrag;
    this.setConnectionState('connected');
    const [channel, otherChannel] = [this.#channel, other.#channel];
    if (!channel || !otherChannel || channel.readyState === 'open') return;
    channel.other = otherChannel;
    channel.readyState = 'open';
    channel.onopen?.();
  }

  async #delayOperation(): Promise<void> {
    await new Promise((done) => setTimeout(done, 5));
    if (this.connectionState === 'closed') throw createDomException('InvalidStateError');
  }
  #recordError(message: string): DOMException {
    this.#network.errors.push(message);
    return createDomException('InvalidStateError');
  }
  #isRestarted(): boolean {
    const [pending, current] = [this.#remote.pending, this.#remote.current];
    return current !== undefined && parseSdp(pending?.sdp ?? '').ufrag !== parseSdp(current.sdp).ufrag;
  }
  #requestNegotiation(): void {
    this.#isNeeded = true;
    setTimeout(() => this.#fireNegotiationNeeded());
  }
  #fireNegotiationNeeded(): void {
    if (!this.#isNeeded || this.signalingState !== 'stable') return;
    this.#isNeeded = false;
    this.onnegotiationneeded?.();
  }
  #finishStep(): void {
    if (this.signalingState === 'stable') setTimeout(() => this.#fireNegotiationNeeded());
    setTimeout(() => this.#network.connectMatching(), 10);
  }
  #gather(usernameFragment: string): void {
    for (const delay of [2, 30])
      setTimeout(() => {
        if (this.connectionState === 'closed') return;
        const candidate = `candidate:1 1 udp 1 192.0.2.1 ${delay} typ relay ufrag ${usernameFragment}`;
        this.onicecandidate?.({ candidate: { candidate, sdpMid: '0', sdpMLineIndex: 0, usernameFragment } });
      }, delay);
  }
}
