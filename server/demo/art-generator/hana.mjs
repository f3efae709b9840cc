import { COVER, flat, LANDSCAPE } from './engine.mjs';

const LAND = `
vec3 moonlit(vec3 c,vec2 p,vec2 m,float size){float d=length(p-m);
 return c+vec3(1.,.9,.75)*(.9*smoothstep(size*1.03,size*.96,d)+.22*exp(-5.*d));}
/* A spruce of height h at the origin. Its edge is notched like branches. */
float spruce(vec2 q,float h,float seed){float t=q.y/h;if(t<-.05||t>1.05)return 1.;
 float w=h*.19*(1.-t)*(.5+.5*(1.-fract(t*(13.+3.*fract(seed))+seed+.05*sign(q.x))))*(.85+.3*ns(vec2(q.y*90.,seed*9.+sign(q.x)*5.)))+.0025;
 return max(abs(q.x)-w,abs(t-.5)-.5);}
`;

/** Colours: sky, horizon (fog), far ridge, near ridge. */
const ridges = (name, { sky, low, far, near, moon, seed, water, after = '', ...options }) =>
  flat(
    name,
    `vec2 P=p;float wl=${water};float m=1.;if(p.y<wl){p.y=2.*wl-p.y+.03*ns(vec2(p.x*6.,p.y*90.))*(wl-p.y)*3.;m=.72;}
 vec3 c=mix(${low},${sky},smoothstep(-.3,1.,p.y));c=moonlit(c,p,${moon},.102);c+=.05*fb(p*vec2(1.2,5.)+9.);
 for(int i=0;i<6;i++){float f=float(i)/5.;
  float h=.42-f*.72+(.30-.06*f)*(fb(vec2(p.x*(1.+f*1.3)+${seed}+f*31.,f*9.))-.35)*2.+.04*f*fb(vec2(p.x*14.+f*5.,2.));
  float e=smoothstep(.004,-.004,p.y-h);vec3 k=mix(${far},${near},pow(f,1.3));
  k=mix(k,${low},smoothstep(.05,-.36,p.y-h)*.75*(1.-f*.55));c=mix(c,k,e);}
 if(P.y<wl){c=c*m+.04*${low};c+=.05*step(.985,ns(vec2(P.x*8.,P.y*160.)));}${after}return c*c*.72;`,
    LAND,
    options,
  );

const woods = (name, { sky, low, near, moon, layers = 6, ...options }) =>
  flat(
    name,
    `vec3 c=mix(${low},${sky},smoothstep(-.4,1.,p.y));c=moonlit(c,p,${moon},.09);c+=.05*fb(p*vec2(1.,4.));
 for(int i=0;i<${layers};i++){float f=float(i)/float(${layers - 1});float base=.12-f*1.02+.12*fb(vec2(p.x*1.3+f*9.,f*3.));
  float d=1.;float step0=mix(.075,.3,f);float cell=floor(p.x/step0);
  for(int j=-2;j<3;j++){float k=cell+float(j);float r=h1(k*1.7+f*91.);float x=(k+.5+.7*(h1(k*3.1+f*17.)-.5))*step0;
   d=min(d,spruce(vec2(p.x-x,p.y-base+.03),mix(.26,.98,f)*(.55+.6*r),r*7.));}
  d=min(d,p.y-base);vec3 k=mix(${low}*.92,${near},pow(f,1.25));k=mix(k,${low},smoothstep(.35,-.35,p.y-base)*.55*(1.-f));
  c=mix(c,k,smoothstep(.004,-.004,d)*(.82+.18*f));c=mix(c,${low},.10*(1.-f)*smoothstep(.3,-.5,p.y)*fb(p*vec2(2.,6.)+f*7.));}
 return c*c*.72;`,
    LAND,
    options,
  );

const SEA = `float hz=-.05;vec3 low=vec3(.56,.6,.66);vec3 c=mix(low,vec3(.12,.2,.34),smoothstep(hz,1.,p.y));vec2 m=vec2(.12,.34);
 c=moonlit(c,p,m,.075);c+=.06*fb(p*vec2(.8,7.)+3.);
 if(p.y<hz){float t=(hz-p.y);vec3 w=mix(low*.95,vec3(.05,.10,.17),smoothstep(0.,.95,t));
  float path=exp(-pow((p.x-m.x)/(.05+.28*t),2.));w+=vec3(1.,.9,.75)*path*(.35+.25*ns(vec2(p.x*6.,p.y*70.)))*smoothstep(.0,.08,t);
  w+=.03*fb(vec2(p.x*2.,p.y*40.));c=w;}
 c=mix(c,low,.8*exp(-pow((p.y-hz)/.07,2.)));
 vec2 q=p-vec2(-.36,-.2);float rock=q.y-.34*exp(-pow(q.x/.13,2.))*(1.+.25*fb(q*vec2(14.,5.)))+.02;rock=max(rock+.02,-q.y-.02);
 float r2=max((p-vec2(-.02,-.2)).y-.12*exp(-pow((p.x+.02)/.08,2.))*(1.+.3*fb(p*20.))+.04,-(p.y+.22));
 float refl=max(-(q.y+.03)-.3*exp(-pow(q.x/.13,2.)),q.y+.02);
 c=mix(c,c*.55,smoothstep(.03,-.2,refl)*.8*step(q.y,-.02));
 c=mix(c,vec3(.03,.05,.08)+.07*fb(q*30.)*smoothstep(-.1,.3,q.y),smoothstep(.006,-.006,rock));
 c=mix(c,vec3(.05,.07,.1),smoothstep(.006,-.006,r2));c=mix(c,low,.35*exp(-pow((p.y+.2)/.05,2.)));return c*c*.78;`;

const POSTS = `vec3 low=vec3(.72,.75,.79);vec3 c=mix(low,vec3(.34,.42,.54),smoothstep(-.1,1.1,p.y));c=moonlit(c,p,vec2(-.42,.5),.07);
 float gr=-.28+.04*fb(vec2(p.x*1.4,1.))-.05*p.x;if(p.y<gr)c=mix(low,vec3(.66,.72,.8),smoothstep(0.,.8,gr-p.y))*(.94+.08*fb(p*vec2(3.,22.)));
 for(int i=0;i<9;i++){float f=float(i);float z=1./(1.+f*.62);float x=.62-1.05*(1.-z)*.98;float foot=-.28-.52*z*z*1.05;float h=1.25*z;
  float w=.016*z+.001;float d=max(abs(p.x-x-.01*z)-w,abs(p.y-foot-h*.5)-h*.5);
  d=min(d,max(abs(p.x-x)-.12*z,abs(p.y-foot-h*.88)-.012*z));d=min(d,max(abs(p.x-x)-.09*z,abs(p.y-foot-h*.78)-.010*z));
  vec3 k=mix(low*.94,vec3(.035,.045,.06),pow(z,.75));c=mix(c,k,smoothstep(.003,-.003,d));
  float z2=1./(1.+(f-1.)*.62);if(i>0){float x2=.62-1.05*(1.-z2)*.98,f2=-.28-.52*z2*z2*1.05,h2_=1.25*z2;
   for(int s=0;s<2;s++){float o=s==0?-.11:.11;float a=x+o*z,b=x2+o*z2;float t=clamp((p.x-a)/(b-a),0.,1.);
    float y=mix(foot+h*.89,f2+h2_*.89,t)-.10*z2*sin(PI*t);float dd=abs(p.y-y);
    if(p.x>min(a,b)&&p.x<max(a,b))c=mix(c,mix(low*.9,vec3(.06,.07,.09),pow(z2,.8)),smoothstep(.0045,.001,dd)*.8);}}}
 c=mix(c,low,.5*exp(-pow((p.y+.24)/.1,2.)));return c*c*.8;`;

const CABIN = `vec2 q=p-vec2(.18,-.42);q.y-=.0;float wall=max(abs(q.x)-.19,abs(q.y-.07)-.11);float roof=max(abs(q.x)*.62+q.y-.32,.15-q.y);
 c=mix(c,vec3(.08,.10,.15),smoothstep(.004,-.004,wall));c=mix(c,vec3(.62,.68,.78),smoothstep(.004,-.004,roof));
 c=mix(c,vec3(.07,.09,.13),smoothstep(.004,-.004,max(abs(q.x-.1)-.022,abs(q.y-.3)-.07)));
 float win=max(abs(q.x+.07)-.042,abs(q.y-.08)-.05);float cross=min(abs(q.x+.07),abs(q.y-.08))-.004;
 c=mix(c,vec3(1.35,.86,.36),smoothstep(.004,-.004,win)*smoothstep(-.002,.003,cross));
 c+=vec3(.9,.5,.16)*.35*exp(-7.*max(win,0.))*(1.-smoothstep(.0,-.01,win));
 c+=vec3(.8,.45,.15)*.22*exp(-pow((q.x+.07)/.11,2.))*smoothstep(-.02,-.1,q.y)*smoothstep(-.5,-.05,q.y);
 float sm=exp(-pow((q.x-.1-.09*fb(vec2(q.y*5.,2.))*(q.y-.36)*3.)/(.018+.08*(q.y-.36)),2.))*step(.36,q.y)*exp(-3.2*(q.y-.36));c+=.16*sm;`;
const SNOW = `float g=-.42+.05*fb(vec2(P.x*1.6,4.))+.03*P.x;float e=smoothstep(.004,-.004,P.y-g);
 c=mix(c,mix(vec3(.50,.58,.74),vec3(.34,.42,.6),smoothstep(0.,.7,g-P.y))*(.95+.07*fb(P*vec2(4.,18.))),e);`;

const JETTY = `float hz=.08;vec3 low=vec3(.70,.72,.74);vec3 c=mix(low,vec3(.36,.44,.56),smoothstep(hz,1.1,p.y));c=moonlit(c,p,vec2(.22,.46),.075);
 if(p.y<hz){float t=hz-p.y;c=mix(low,vec3(.30,.38,.46),smoothstep(0.,1.05,t));c+=.03*(ns(vec2(p.x*3./(t+.1),9./(t+.04)))-.5);
  vec2 m=vec2(.22,2.*hz-.46);c+=vec3(1.,.9,.75)*.20*exp(-pow((p.x-m.x)/.09,2.))*exp(-2.5*abs(p.y-m.y));}
 c=mix(c,low,.75*exp(-pow((p.y-hz)/.09,2.)));float t=hz-.02-p.y;
 if(t>0.05){float z=.30/t;float x=(p.x+.10*(1.-t*.6))/(t*.5);float fade=exp(-.28*max(z-.6,0.)*1.6);
  float deck=abs(x)-.62;float plank=fract(z*3.2);vec3 wood=vec3(.17,.16,.16)*(.75+.4*h1(floor(z*3.2)))*(.9+.2*ns(vec2(x*30.,z*4.)));
  wood*=smoothstep(.0,.1,plank);wood+=.05*smoothstep(.9,.1,abs(x-.1));
  if(z<5.2){c=mix(c,c*.5,smoothstep(.18,.0,deck-.12)*.5*fade*step(0.,deck));c=mix(c,mix(low,wood,fade),smoothstep(.02,-.02,deck));}}
 for(int i=0;i<5;i++){float f=float(i);float z=.62+f*.95;float t2=.30/z;float y=hz-.02-t2;float fade=exp(-.42*(z-.6));
  for(int s=-1;s<2;s+=2){float cx=-.10*(1.-t2*.6)+float(s)*.66*t2*.5;float w=.05*t2,h=.30*t2;
   float d=max(abs(p.x-cx)-w,abs(p.y-y-h*.35)-h);c=mix(c,mix(low,vec3(.06,.065,.075),fade),smoothstep(.003,-.003,d));}}
 return c*c*.8;`;

const REEDS = `float wl=-.22;vec3 low=vec3(.80,.66,.52);vec3 sky=vec3(.42,.38,.46);float y=p.y<wl?2.*wl-p.y:p.y;float rip=p.y<wl?.02*sin(p.y*90.+4.*ns(p*vec2(5.,30.)))*(wl-p.y)*2.:0.;
 vec2 q=vec2(p.x+rip,y);vec3 c=mix(low,sky,smoothstep(-.3,1.,q.y));c=moonlit(c,q,vec2(-.28,.30),.13);
 for(int i=0;i<46;i++){float f=float(i);float l=h1(f*3.7);float x=(h1(f*1.3)*2.-1.)*.95;x=mix(x,x*.5+.35,step(.5,h1(f*8.1)));float h=.22+.75*h1(f*5.9)*(.5+.5*l);
  float bend=.16*(h1(f*2.9)-.42);float t=clamp((q.y-wl)/h,0.,1.);float d=abs(q.x-x-bend*t*t)-.005*(1.-t*.7)*(.5+l);d=max(d,q.y-wl-h);
  if(h1(f*6.1)>.62)d=min(d,max(abs(q.x-x-bend*t*t)-.013*(.6+l),abs(t-.88)-.09));
  float k=mix(.35,1.,l);c=mix(c,mix(low,vec3(.07,.045,.05),k),smoothstep(.003,-.002,d)*(p.y<wl?.55:1.));}
 if(p.y<wl)c=mix(c*.82,low*.6,.25*smoothstep(0.,.7,wl-p.y));c=mix(c,low,.5*exp(-pow((p.y-wl)/.05,2.)));return c*c*.78;`;

const ICE = `float hz=-.02;vec3 low=vec3(.74,.78,.82);vec3 c=mix(low,vec3(.40,.5,.62),smoothstep(hz,1.1,p.y));c=moonlit(c,p,vec2(.3,.62),.06);
 if(p.y<hz){float t=hz-p.y;vec2 s=vec2(p.x/(t+.06),1./(t+.06));c=mix(low,vec3(.46,.58,.68),smoothstep(0.,.9,t));
  float cr=abs(fb(s*vec2(.9,.55)+3.)-.47);c=mix(c,vec3(.86,.9,.93),smoothstep(.016,.0,cr)*.7*smoothstep(.03,.2,t));
  float cr2=abs(fb(s*vec2(1.7,.9)+11.)-.5);c=mix(c,vec3(.30,.42,.52),smoothstep(.01,.0,cr2)*.4*smoothstep(.1,.4,t));c+=.03*(fb(s*6.)-.5);}
 c=mix(c,low,.9*exp(-pow((p.y-hz)/.10,2.)));vec2 q=(p-vec2(-.16,-.16))*1.25;float d=max(abs(q.x)-.016-.012*smoothstep(.1,-.02,q.y),abs(q.y-.055)-.045)-.006;
 d=min(d,length(q-vec2(0,.128))-.017);d=min(d,seg(q,vec2(-.008,.01),vec2(-.022,-.05))-.008);d=min(d,seg(q,vec2(.008,.01),vec2(.016,-.05))-.008);
 float sled=seg(q,vec2(.1,-.045),vec2(.2,-.045))-.01;d=min(d,min(sled,seg(q,vec2(.02,.05),vec2(.1,-.04))-.0018));
 c=mix(c,c*.7,smoothstep(.05,-.02,length((q-vec2(.03,-.06))*vec2(.35,2.5))-.02)*.6);c=mix(c,vec3(.05,.06,.08),smoothstep(.004,-.004,d));
 c=mix(c,vec3(.75,.12,.06),smoothstep(.003,-.003,max(abs(q.y-.098)-.009,abs(q.x)-.022)));return c*c*.8;`;

const BLUE = {
  sky: 'vec3(.10,.17,.30)',
  low: 'vec3(.52,.56,.60)',
  far: 'vec3(.32,.42,.52)',
  near: 'vec3(.012,.026,.045)',
};
const ROSE = { sky: 'vec3(.34,.2,.26)', low: 'vec3(.86,.5,.34)', far: 'vec3(.5,.32,.36)', near: 'vec3(.05,.02,.04)' };
const SLATE = {
  sky: 'vec3(.24,.30,.33)',
  low: 'vec3(.66,.68,.66)',
  far: 'vec3(.42,.48,.5)',
  near: 'vec3(.03,.045,.05)',
};

export const scenes = [
  ridges('hana-1', { ...BLUE, moon: 'vec2(.32,.52)', seed: '3.', water: '-.42' }),
  ridges('hana-2', { ...ROSE, moon: 'vec2(-.25,.42)', seed: '14.', water: '-2.' }),
  woods('hana-3', {
    sky: 'vec3(.22,.31,.40)',
    low: 'vec3(.70,.73,.74)',
    near: 'vec3(.02,.035,.045)',
    moon: 'vec2(-.3,.62)',
  }),
  flat('hana-4', SEA, LAND),
  flat('hana-5', POSTS, LAND),
  ridges('hana-6', {
    sky: 'vec3(.10,.14,.30)',
    low: 'vec3(.40,.46,.62)',
    far: 'vec3(.26,.32,.48)',
    near: 'vec3(.10,.13,.22)',
    moon: 'vec2(-.38,.6)',
    seed: '22.',
    water: '-2.',
    after: SNOW + CABIN,
  }),
  flat('hana-7', JETTY, LAND),
  flat('hana-8', REEDS, LAND),
  flat('hana-9', ICE, LAND, { size: LANDSCAPE }),
  woods('hana-10', {
    sky: 'vec3(.40,.26,.28)',
    low: 'vec3(.92,.66,.50)',
    near: 'vec3(.06,.03,.035)',
    moon: 'vec2(.24,.5)',
    layers: 5,
  }),
  ridges('hana-11', { ...SLATE, moon: 'vec2(.9,.5)', seed: '41.', water: '-.55', size: LANDSCAPE }),
  ridges('hana-cover', { ...BLUE, moon: 'vec2(.95,.5)', seed: '57.', water: '-.5', size: COVER }),
];
