import { COVER, flat, LANDSCAPE } from './engine.mjs';

/** Shadows fall down and to the right. */
const PAPER = `
vec3 sheet(vec3 c,vec3 t,float d,float ds,float lift){c*=1.-.5*smoothstep(lift,-lift*.7,ds);
 t+=.07*smoothstep(.012,.0,abs(d+.005));return mix(c,t,smoothstep(.0035,-.0035,d));}
float grainy(vec2 p){return .94+.07*fb(p*26.)+.03*ns(p*vec2(90.,30.));}
float petal(vec2 q,float l,float w){float t=clamp(q.y/l,0.,1.);return max(abs(q.x)-w*pow(sin(PI*pow(t,.7)),.8),abs(q.y-l*.5)-l*.5);}
`;

/** `n` flowers at `pos`, from colour `a` outside to `b` inside. */
const rosettes = (name, { seed, a, b, back, n = 3, pos, big = '.95', layers = 13, ...options }) =>
  flat(
    name,
    `vec3 c=${back}*(.9+.1*fb(p*3.))*(1.-.25*length(p));
 for(int k=0;k<${n};k++){float fk=float(k);vec2 o=${pos ?? 'vec2(.55*cos(fk*2.3+.6),.62*sin(fk*2.3+.6))'}*(k==0?.0:1.);
  float sc=k==0?${big}:.55+.1*h1(fk*4.);
  for(int i=0;i<${layers};i++){float f=float(i)/${layers - 1}.;vec2 q=(p-o-vec2(.012,-.01)*float(i))/sc;
   float R0=.86*pow(1.-f,.9)+.05,n=mix(11.,5.,f),a0=atan(q.y,q.x)+f*9.+fk*2.+${seed};float w=pow(abs(cos(a0*n*.5)),.55);
   float r=R0*(.74+.3*w+.06*ns(vec2(a0*3.,f*20.))),l=length(q);
   vec2 s=(p-o-vec2(.012,-.01)*float(i)-vec2(.03,-.045))/sc;float as=atan(s.y,s.x)+f*9.+fk*2.+${seed};
   float rs=R0*(.76+.3*pow(abs(cos(as*n*.5)),.55));c*=1.-.5*smoothstep(rs+.09,rs-.1,length(s));
   float e=smoothstep(r+.004,r-.004,l);vec3 t=mix(${a},${b},f*.75+.25*l/R0*.6);
   float cr=.86+.2*w-.12*smoothstep(.25,.02,abs(cos(a0*n*.5)))+.10*(q.y*.7-q.x*.5)/R0+.05*ns(vec2(a0*60.,l*4.));
   t*=cr*(.72+.4*smoothstep(0.,R0,l));t+=.10*smoothstep(.02,.0,abs(l-r+.006));c=mix(c,t*t*.62,e);}}
 return c;`,
    PAPER,
    options,
  );

const poppies = (hill) => `vec3 c=mix(vec3(.86,.78,.66),vec3(.92,.86,.78),p.y*.5+.5)*grainy(p);
 for(int i=0;i<15;i++){float f=float(i);float x=(h1(f*3.3)*2.-1.)*${hill};float y=.62-1.15*f/14.+.16*(h1(f*7.1)-.5);float s=mix(.13,.25,f/14.)*(.85+.3*h1(f*2.));
  vec2 o=vec2(x,y);float bend=.12*sin(f*2.);vec2 q=p-o;float tt=clamp(-q.y/1.6,0.,1.);float st=max(abs(q.x-bend*tt*tt*2.)-.007,q.y);float sst=max(abs(q.x-.02-bend*tt*tt*2.)-.007,q.y);
  c=sheet(c,vec3(.16,.26,.14)*grainy(p),st,sst,.02);
  for(int k=0;k<5;k++){float a=float(k)*1.256+f*1.3+.2*sin(f*5.);vec2 d=rt(a)*q,ds=rt(a)*(q-vec2(.022,-.032));float wv=.012*sin(d.y*60.+f)*.4;
   vec3 t=mix(vec3(.74,.10,.05),vec3(.93,.27,.12),clamp(d.y/s*.7+.2*h1(f+float(k)),0.,1.))*grainy(d*3.)*(.8+.3*smoothstep(0.,s,d.y))*(.94+.08*sin(atan(d.x,d.y)*22.));
   c=sheet(c,t,petal(d,s,s*.56)+wv,petal(ds,s,s*.56),.03);}
  float l=length(q);c=sheet(c,vec3(.07,.05,.07),l-s*.2-.008*sin(atan(q.y,q.x)*18.),length(q-vec2(.012,-.018))-s*.2,.02);c=mix(c,vec3(.62,.6,.3),smoothstep(.004,-.004,l-s*.08));}
 return c*c*.86;`;

const FRONDS = `vec3 c=vec3(.07,.13,.12)*grainy(p);
 for(int i=0;i<9;i++){float f=float(i);float a=-.95+.24*f+.1*sin(f*3.);vec2 o=vec2(-.25+.06*f,-1.12);float len=1.35+.45*h1(f*2.7);vec3 col=mix(vec3(.08,.2,.17),vec3(.55,.72,.46),f/8.);
  for(int pass=0;pass<2;pass++){vec2 q=rt(a)*(p-o-(pass==0?vec2(.03,-.04):vec2(0)));q.x+=.18*q.y*q.y*sin(f*2.1);float t=clamp(q.y/len,0.,1.);
   float w=.26*pow(1.-t,.7)*smoothstep(0.,.14,t)*(.35+.65*smoothstep(.12,.5,abs(fract(t*17.+.35*abs(q.x)/.2*1.)-.5)*1.2+.08));
   float d=max(abs(q.x)-w-.008*(1.-t),abs(q.y-len*.5)-len*.5);
   if(pass==0)c*=1.-.55*smoothstep(.045,-.03,d);
   else{vec3 k=col*grainy(q*2.)*(.82+.3*smoothstep(-.2,.2,-q.x))*(1.-.25*smoothstep(.012,.0,abs(q.x)));c=mix(c,k,smoothstep(.0035,-.0035,d));}}}
 return c*c*1.05;`;

const hills = (
  moon,
) => `vec3 c=vec3(.95,.83,.66)*grainy(p);float m=length(p-${moon}),ms=length(p-${moon}-vec2(.03,-.04));c=sheet(c,vec3(1.,.46,.3)*grainy(p*2.),m-.3,ms-.3,.05);
 for(int i=0;i<7;i++){float f=float(i);vec2 q=p,s=p-vec2(.035,-.05);float k=f*1.7;
  float h=.36-.2*f+.16*sin(p.x*(1.5+.3*f)+k*2.)+.07*sin(p.x*(4.+f)+k*5.);float hs=.36-.2*f+.16*sin(s.x*(1.5+.3*f)+k*2.)+.07*sin(s.x*(4.+f)+k*5.);
  vec3 t=f<1.?vec3(.93,.62,.5):f<2.?vec3(.83,.42,.4):f<3.?vec3(.62,.3,.38):f<4.?vec3(.4,.26,.4):f<5.?vec3(.24,.22,.36):f<6.?vec3(.14,.17,.28):vec3(.08,.11,.19);
  c=sheet(c,t*grainy(q*1.5+k)*(.9+.14*smoothstep(-.4,.1,p.y-h)),q.y-h,s.y-hs,.07);}
 return c*c*.9;`;

const SCREEN = `vec2 g=p*2.35;vec2 cell=floor(g),q=fract(g)-.5;float a=atan(q.y,q.x),l=length(q);float star=l-.30-.11*cos(a*8.);float hole=min(star,1.);
 vec2 q2=fract(g+.5)-.5;float d2=abs(q2.x)+abs(q2.y)-.13;hole=min(hole,d2);float ring=abs(l-.46)-.012;
 vec2 gs=(p-vec2(.014,-.018))*2.35;vec2 qs=fract(gs)-.5;float ss=length(qs)-.30-.11*cos(atan(qs.y,qs.x)*8.);vec2 qs2=fract(gs+.5)-.5;ss=min(ss,abs(qs2.x)+abs(qs2.y)-.13);
 float lamp=exp(-.85*length(p-vec2(-.15,.2)));vec3 glow=mix(vec3(.86,.42,.2),vec3(1.25,.98,.62),lamp)*lamp*1.35;
 vec3 behind=glow*(.72+.28*smoothstep(-.02,.09,-ss));vec3 paper=vec3(.30,.33,.45)*grainy(p*2.)*(.62+.55*lamp);paper+=.10*smoothstep(.018,.0,abs(hole))*lamp;
 float core=l-.115-.04*cos(a*8.+PI);vec3 c=mix(paper,behind,smoothstep(.008,-.008,hole));c=mix(c,paper*1.02,smoothstep(.008,-.008,core));return c*c*.95;`;

const WREATH = `vec3 c=vec3(.90,.86,.79)*grainy(p);for(int i=0;i<44;i++){float f=float(i);float a=f*2.39996;float ring=.60+.10*(h1(f*3.)-.5);vec2 o=ring*vec2(cos(a),sin(a))*vec2(1.,1.);float turn=a+1.57+.9*(h1(f*5.)-.5)+(mod(f,2.)<1.?.7:-.4);
  float l=.24+.14*h1(f*9.);vec2 q=rt(turn)*(p-o),s=rt(turn)*(p-o-vec2(.022,-.032));q.y+=l*.5;s.y+=l*.5;
  float w=l*.21;float k=h1(f*7.);vec3 t=k<.4?vec3(.30,.42,.33):k<.65?vec3(.47,.56,.42):k<.82?vec3(.84,.42,.32):vec3(.93,.74,.52);
  t*=grainy(q*2.+f)*(.84+.26*smoothstep(-w,w,q.x))*(1.-.2*smoothstep(.006,.0,abs(q.x)));c=sheet(c,t,petal(q,l,w),petal(s,l,w),.035);}
 for(int i=0;i<9;i++){float f=float(i);float a=f*.698+.3;vec2 o=(.60+.05*sin(f*5.))*vec2(cos(a),sin(a));c=sheet(c,vec3(.72,.13,.10)*grainy(p*3.),length(p-o)-.032,length(p-o-vec2(.016,-.024))-.032,.02);}
 return c*c*.92;`;

const CRANES = `vec3 c=mix(vec3(.34,.47,.56),vec3(.55,.67,.72),p.y*.5+.5)*grainy(p);
 for(int i=0;i<7;i++){float f=float(i);vec2 o=vec2(-.5+.5*mod(f,3.)+.16*sin(f*4.),.72-.27*f+.06*sin(f*9.));float s=.27+.07*h1(f*3.);float fl=h1(f*5.)>.5?1.:-1.;
  vec3 col=f==2.?vec3(.92,.34,.22):f==5.?vec3(.95,.76,.42):vec3(.95,.93,.89);
  for(int k=0;k<5;k++){vec2 A,B,C;float sh=1.;
   if(k==0){A=vec2(-.1,0);B=vec2(-1.,.34);C=vec2(-.42,-.08);sh=.72;}else if(k==1){A=vec2(.1,0);B=vec2(1.,.55);C=vec2(.42,-.06);sh=.8;}
   else if(k==2){A=vec2(-.45,-.1);B=vec2(-.02,.95);C=vec2(.1,-.08);sh=1.;}else if(k==3){A=vec2(.45,-.1);B=vec2(.3,.85);C=vec2(-.02,-.06);sh=.88;}
   else{A=vec2(-.45,-.1);B=vec2(.45,-.1);C=vec2(0,-.42);sh=.66;}
   for(int pass=0;pass<2;pass++){vec2 q=(p-o-(pass==0?vec2(.03,-.045):vec2(0)))/s;q.x*=fl;
    vec2 e0=B-A,e1=C-B,e2=A-C,v0=q-A,v1=q-B,v2=q-C;float sg=sign(e0.x*e2.y-e0.y*e2.x);
    float d=-min(min(sg*(v0.x*e0.y-v0.y*e0.x)/length(e0),sg*(v1.x*e1.y-v1.y*e1.x)/length(e1)),sg*(v2.x*e2.y-v2.y*e2.x)/length(e2))*s;
    if(pass==0)c*=1.-.38*smoothstep(.03,-.03,d);else c=mix(c,col*sh*grainy(q)*(.9+.12*q.y),smoothstep(.003,-.003,d));}}
  float th=max(abs(p.x-o.x)-.0012,o.y-p.y+.1);c=mix(c,vec3(.9),smoothstep(.0025,.0,th)*.35);}
 return c*c*.92;`;

const daffodils = (count, step) => `vec3 c=mix(vec3(.20,.30,.42),vec3(.32,.44,.55),p.y*.5+.5)*grainy(p);
 for(int i=0;i<${count};i++){float f=float(i);vec2 o=vec2((f-${((count - 1) / 2).toFixed(1)})*${step},.24+.30*sin(f*2.4+.6));vec2 q=p-o;float tt=clamp(-q.y/1.6,0.,1.);float bend=.08*sin(f*3.);
  float st=max(abs(q.x-bend*sin(tt*3.))-.011,q.y),ss=max(abs(q.x-.03-bend*sin(tt*3.))-.011,q.y);c=sheet(c,vec3(.40,.58,.30)*grainy(p),st,ss,.03);
  for(int k=0;k<2;k++){float sd=k==0?-1.:1.;vec2 l=rt(sd*.22)*(p-vec2(o.x+sd*.03,-1.1)),ls=rt(sd*.22)*(p-vec2(o.x+sd*.03,-1.1)-vec2(.03,-.03));float L=.9+.2*h1(f+float(k));
   c=sheet(c,vec3(.28,.47,.26)*grainy(l)*(.85+.3*smoothstep(-.03,.03,l.x)),petal(l,L,.045),petal(ls,L,.045),.03);}
  for(int k=0;k<6;k++){float a=float(k)*1.0472+f*.7;vec2 d=rt(a)*q,ds=rt(a)*(q-vec2(.025,-.036));vec3 t=vec3(.98,.84,.36)*grainy(d*2.)*(.8+.25*smoothstep(-.06,.06,d.x))*(.75+.3*smoothstep(0.,.25,d.y));
   c=sheet(c,t,petal(d,.31,.085),petal(ds,.31,.085),.035);}
  for(int k=0;k<4;k++){float fk=float(k);float R0=.125-.024*fk;vec2 e=q-vec2(.004,-.004)*fk;float a=atan(e.y,e.x);float r=R0*(1.+.07*sin(a*14.+fk*2.));vec2 es=e-vec2(.014,-.02);
   vec3 t=mix(vec3(.96,.52,.14),vec3(.72,.27,.06),fk/3.)*grainy(e*4.);c=sheet(c,t,length(e)-r,length(es)-R0,.02);}}
 return c*c*.95;`;

export const scenes = [
  rosettes('yuki-1', { seed: '.4', a: 'vec3(.85,.3,.24)', b: 'vec3(.98,.74,.62)', back: 'vec3(.2,.1,.11)', n: 4 }),
  rosettes('yuki-2', {
    seed: '1.3',
    a: 'vec3(.74,.78,.72)',
    b: 'vec3(1.,.98,.92)',
    back: 'vec3(.05,.10,.09)',
    n: 1,
    big: '1.0',
    layers: 17,
  }),
  flat('yuki-3', poppies('.72'), PAPER),
  flat('yuki-4', FRONDS, PAPER),
  flat('yuki-5', hills('vec2(-.2,.48)'), PAPER),
  flat('yuki-6', SCREEN, PAPER),
  flat('yuki-7', WREATH, PAPER),
  flat('yuki-8', CRANES, PAPER),
  flat('yuki-9', daffodils(4, '.42'), PAPER),
  rosettes('yuki-10', {
    seed: '2.2',
    a: 'vec3(.16,.24,.55)',
    b: 'vec3(.62,.74,.95)',
    back: 'vec3(.55,.5,.42)',
    n: 6,
    big: '.6',
    pos: 'vec2(.66*cos(fk*1.256+.3),.72*sin(fk*1.256+.3))',
  }),
  flat('yuki-11', poppies('1.4'), PAPER, { size: LANDSCAPE }),
  rosettes('yuki-cover', {
    seed: '.9',
    a: 'vec3(.85,.3,.24)',
    b: 'vec3(.98,.74,.62)',
    back: 'vec3(.72,.38,.34)',
    n: 7,
    big: '.8',
    pos: 'vec2(1.35*cos(fk*1.047+.3),.75*sin(fk*1.047+.3))',
    size: COVER,
  }),
];
