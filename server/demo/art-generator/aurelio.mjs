import { COVER, flat, LANDSCAPE } from './engine.mjs';

const AMBER = 'vec3(1.,.5,.14)';
const RED = 'vec3(1.,.16,.1)';
const BLUE = 'vec3(.14,.5,1.)';
const WHITE = 'vec3(.9,.95,1.)';
const GREEN = 'vec3(.16,.9,.5)';
const PINK = 'vec3(1.,.2,.5)';

const discs = (
  seed,
  [a, b, c, d],
  width = '1.7',
) => `vec3 c=mix(vec3(.012,.014,.03),vec3(.05,.03,.05),exp(-4.*abs(p.y+.1)));
 for(int i=0;i<110;i++){float f=float(i)+${seed};float z=h1(f*1.7);vec2 q=vec2((h1(f*3.3)*2.-1.)*${width},-.12+(h1(f*5.1)-.35)*(.5+z*1.2));
  float r=mix(.02,.13,z*z);bool low=h1(f*9.)<.38;if(low)q.y=-.25-abs(q.y+.12)*1.1;vec2 d=p-q;if(low)d.y*=.42;
  float a=smoothstep(r,r*.9,length(d)),ring=.65+.5*smoothstep(r*.6,r*.98,length(d)),k=h1(f*2.2);
  vec3 w=k<.4?${a}:k<.68?${b}:k<.88?${c}:${d};c+=w*a*ring*mix(.9,.16,z)*(low?.4:1.)*(.4+.8*h1(f*8.8));}
 float g=fb(vec2(p.x*30.,p.y*3.));if(p.y<-.3)c*=.75+.5*g;`;

const night = (name, body, options = {}, helpers = '') =>
  flat(name, body, helpers, { samples: 3, bloom: 0.8, ...options });

const RIM = `vec3 dark(vec3 c,float d,float x){return mix(c,vec3(.004,.004,.009)+vec3(1.,.3,.1)*.22*smoothstep(-.03,0.,d)*smoothstep(.25,-.35,x),smoothstep(.006,-.006,d));}
/* A figure in a long coat, one unit high, with its feet at the origin. */
float coat(vec2 q){float w=mix(.15,.075,smoothstep(0.,.72,q.y));float d=max(abs(q.x)-w,abs(q.y-.42)-.36)-.01;
 d=smn(d,(length((q-vec2(0,.76))/vec2(.115,.1))-1.)*.09,.04);d=smn(d,cap(vec3(q,0),vec3(0,.82,0),vec3(0,.88,0),.026),.03);
 d=smn(d,(length((q-vec2(.004,.93))/vec2(.05,.065))-1.)*.05,.015);
 d=min(d,max(abs(abs(q.x)-.055)-.028,abs(q.y-.05)-.06));return d;}
`;

const WALK = `vec2 q=p-vec2(-.1,-.12);float wd=mix(.27,.14,smoothstep(-1.,.3,q.y));float d=max(abs(q.x)-wd,q.y-.26)-.02;
 float so=(length((q-vec2(0,.27))/vec2(.2,.16))-1.)*.16;d=smn(d,so,.06);d=smn(d,cap(vec3(q,0),vec3(0,.38,0),vec3(.005,.5,0),.045),.05);
 d=smn(d,(length((q-vec2(.008,.565))/vec2(.088,.108))-1.)*.09,.03);float um=length((q-vec2(.08,.42))*vec2(.84,1.))-.56;
 um=max(um,-(q.y-.66-.035*abs(sin(q.x*9.+.4))));d=min(d,um);d=min(d,max(abs(q.x-.13-.03*q.y)-.007,abs(q.y-.5)-.42));
 d=min(d,length(q-vec2(.14,.1))-.045);c=dark(c,d,q.x);return c;`;

const RAIN = `vec2 P=p;vec3 st=vec3(0);vec2 off=vec2(0);float m=0.;
 for(int i=0;i<150;i++){float f=float(i);vec2 o=vec2(h1(f*1.9)*2.-1.,h1(f*4.3)*2.-1.)*vec2(.9,1.05);float r=mix(.008,.062,pow(h1(f*6.1),3.));vec2 d=(P-o)*vec2(1.,.86);float l=length(d)/r;
  if(l<1.){off=-d/r;m=sqrt(1.-l*l);st=vec3(r,l,f);}}
 for(int i=0;i<7;i++){float f=float(i)+200.;float x=(h1(f*2.1)*2.-1.)*.75+.03*sin(P.y*7.+f);float y=h1(f*3.3)*1.6-.8;float w=.013*smoothstep(1.1,0.,P.y-y)*step(y,P.y);float d=abs(P.x-x);
  if(d<w){off=vec2(-(P.x-x)/w*.7,.2);m=max(m,.6);st=vec3(w,d/w,f);}}
 if(m>0.){p=vec2(P.x*.5,-P.y*.4)+off*vec2(.42,.36);}
`;
const RAIN_END = `if(m>0.){c=c*1.15+.05;c*=.55+.6*m;c+=vec3(1.,.9,.8)*.5*pow(max(0.,1.-length(off-vec2(-.4,.5))*1.6),3.);}else c=c*.82+vec3(.018,.016,.02);return c;`;

const facade = (
  columns,
  rows,
) => `vec3 c=vec3(.016,.02,.034)*(.8+.4*fb(p*vec2(8.,30.)));vec2 g=vec2(p.x*${columns},p.y*${rows})+vec2(.5,.25);vec2 id=floor(g),q=fract(g)-.5;q.x*=1.;float k=h2(id*1.7+3.);
 float w=max(abs(q.x)-.25,abs(q.y)-.33);float lit=step(.52,k);vec3 lamp=k>.93?vec3(.5,.75,1.):k>.72?vec3(1.,.6,.22):vec3(1.,.74,.42);
 float fall=.45+.75*smoothstep(-.35,.4,q.y)+.25*h1(k*91.);vec3 room=lamp*fall*(.55+.6*h1(k*37.));
 float cur=smoothstep(.03,.0,abs(q.x)-.25+.11*h1(k*53.)+.02*sin(q.y*20.))*step(.0,.25-abs(q.x));room*=mix(1.,.62,step(.25-.13*h1(k*53.),abs(q.x)));
 float who=h1(k*71.);if(who>.70){vec2 s=q-vec2(.10*(h1(k*13.)-.5),-.30);float d=min(max(abs(s.x)-.085,s.y-.30)-.01,(length((s-vec2(0,.42))/vec2(.055,.075))-1.)*.06);d=smn(d,(length((s-vec2(0,.28))/vec2(.12,.09))-1.)*.09,.03);room*=mix(1.,.05,smoothstep(.012,-.012,d));}
 if(who<.14){float d=max(abs(q.x-.05)-.05,abs(q.y+.20)-.13);d=min(d,length((q-vec2(.05,.02))*vec2(1.,.8))-.10);room*=mix(1.,.12,smoothstep(.02,-.02,d));}
 float bars=min(abs(q.x),abs(q.y-.08));room*=smoothstep(.006,.016,bars);
 vec3 glass=lit>.5?room:vec3(.02,.03,.055)+.05*smoothstep(.1,.4,q.y-q.x)*vec3(.4,.6,1.);c=mix(c,glass,smoothstep(.012,-.012,w));
 c+=lamp*lit*.10*exp(-9.*max(w,0.))*(1.-smoothstep(.01,-.01,w));c+=vec3(.03)*smoothstep(.02,.0,abs(w-.03))*.6;
 float sill=max(abs(q.x)-.30,abs(q.y+.37)-.018);c=mix(c,vec3(.05,.05,.065)+lamp*lit*.10,smoothstep(.01,-.01,sill));`;

const STREET_LIGHT = `vec3 c=vec3(.010,.014,.028)*(1.+.5*p.y);float hz=-.42;vec2 L=vec2(.22,.62);float cone=smoothstep(.62,.0,abs(p.x-L.x)/(.05+.50*(L.y-p.y)))*step(p.y,L.y);
 float fog=.75+.5*fb(p*vec2(2.,3.)+4.);c+=vec3(1.,.62,.26)*cone*.34*fog*exp(-1.1*(L.y-p.y));c+=vec3(1.,.7,.36)*.22*exp(-5.*length(p-L));
 for(int i=0;i<6;i++){float f=float(i);float x=-.9+.33*f;float h=.32+.4*h1(f*3.);float d=max(abs(p.x-x)-.15,p.y-h+.1);c=mix(c,c*.35+vec3(.004,.006,.012),smoothstep(.01,-.01,d)*.75*step(hz,p.y));
  vec2 w=vec2(abs(p.x-x)-.05,p.y-h*.4+.02);if(h1(f*7.)>.45)c+=vec3(1.,.55,.2)*.35*smoothstep(.006,-.006,max(abs(w.x)-.022,abs(w.y)-.035))*step(hz,p.y);}
 if(p.y<hz){float t=hz-p.y;vec2 s=vec2(p.x/(t+.35),1./(t+.12));float st=fract(s.y*2.);float stone=smoothstep(.0,.08,abs(fract(s.x*3.4+.5*step(.5,fract(s.y)))-.5)-.03)*smoothstep(.0,.16,st);
  float wet=exp(-pow((p.x-L.x)/(.10+.5*t),2.));c=vec3(.012,.014,.022)*(.5+.7*stone)+vec3(1.,.6,.25)*wet*(.20+.5*fb(vec2(p.x*26.,p.y*7.)))*.65*(.45+.55*stone);}
 c=mix(c,vec3(.006,.006,.01),smoothstep(.005,-.003,max(abs(p.x-L.x-.16)-.010,abs(p.y-.12)-.56)));c=mix(c,vec3(.006),smoothstep(.005,-.003,max(abs(p.x-L.x-.08)-.09,abs(p.y-.675)-.008)));
 c=mix(c,vec3(2.6,1.9,1.1),smoothstep(.012,-.006,(length((p-L)/vec2(.055,.035))-1.)*.035));c=mix(c,vec3(.006),smoothstep(.006,-.004,max((length((p-L-vec2(0,.02))/vec2(.08,.05))-1.)*.05,L.y+.012-p.y)));
 vec2 q=(p-vec2(-.02,-.60))*1.65;float d=coat(q)/1.65;c=dark(c,d,-q.x*1.6);vec2 rq=vec2(q.x,-q.y*.8)+.02*sin(p.y*60.);c=mix(c,c*.25,smoothstep(.03,-.03,coat(rq)/1.65)*.8*step(q.y,0.));return c;`;

const CINEMA = `vec3 c=vec3(.012,.011,.016);float sc=max(abs(p.x)-.60,abs(p.y-.30)-.27);vec3 film=mix(vec3(.95,.62,.36),vec3(.36,.52,.72),smoothstep(.05,.55,p.y));vec2 f=p-vec2(0,.30);
 film=mix(film,vec3(1.1,.9,.66),exp(-16.*length(f-vec2(.22,.02))));float h=f.y+.10-.05*fb(vec2(p.x*4.,1.))-.03*sin(p.x*5.);film=mix(film,vec3(.16,.12,.16),smoothstep(.008,-.008,h));film=mix(film,vec3(.06,.05,.08),smoothstep(.004,-.004,coat((f-vec2(-.2,-.2))*4.6)/4.6));
 c=mix(c,film*1.15,smoothstep(.006,-.006,sc));c+=vec3(.7,.6,.55)*.17*exp(-3.4*max(sc,0.))*(1.-smoothstep(.006,-.006,sc));
 float beam=smoothstep(.5,0.,abs(p.x+.0-.02*p.y)/(.02+.62*(1.02-p.y)))*smoothstep(.55,1.0,p.y);c+=vec3(.9,.85,1.)*beam*.10*(.6+.8*fb(p*vec2(7.,3.)));
 float side=smoothstep(.62,1.,abs(p.x))*exp(-2.5*abs(p.y-.3));c+=vec3(.34,.05,.03)*side*(.6+.4*sin(p.x*90.))*.9;
 for(int r=0;r<4;r++){float fr=float(r);float s=.115+.050*fr;float y0=-.20-.24*fr;for(int i=-7;i<8;i++){float k=float(i)+.5*mod(fr,2.);float x=k*s*1.75;float who=h1(k*3.1+fr*17.);
   vec2 q=p-vec2(x,y0);float seat=max(abs(q.x)-s*.72,q.y+.02)-.02;c=mix(c,vec3(.17,.022,.02)*(.35+.25*fr/4.)*(.55+1.1*smoothstep(-s*.9,.02,q.y))*exp(-.4*fr),smoothstep(.006,-.006,seat));
   if(who>.42){float hd=(length((q-vec2(.012*sin(k*9.),s*.62))/vec2(s*.34,s*.44))-1.)*s*.36;float sh=(length((q-vec2(0,s*.02))/vec2(s*.66,s*.3))-1.)*s*.3;float d=smn(hd,sh,.03);
    if(who>.86)d=min(d,length(q-vec2(.0,s*1.06))-s*.17);vec3 rim=vec3(.8,.6,.45)*.30*smoothstep(-.022,.0,d)*smoothstep(-.1*s,s*.9,q.y)/(1.+fr*.5);c=mix(c,vec3(.006,.006,.009)+rim,smoothstep(.005,-.005,d));}}}
 return c;`;

const TRAILS = `vec3 c=mix(vec3(.05,.035,.06),vec3(.012,.016,.04),smoothstep(-.2,1.,p.y));vec2 vp=vec2(.12,.06);vec2 q=p-vp;float below=step(q.y,0.);c*=mix(1.,.45,below);
 for(int i=0;i<16;i++){float f=float(i);float x=(h1(f*2.7)*2.-1.)*.9-.05;bool red=f<8.;float sl=red?.16+.95*h1(f*3.3):-.2-1.05*h1(f*3.3);float l=abs(q.x-sl*-q.y+.03*sin(q.y*(3.+h1(f)*4.)+f)*-q.y)/max(.004,-q.y);
  float w=.010+.012*h1(f*5.);float a=exp(-pow(l/w,2.))*below*smoothstep(0.,.12,-q.y);c+=(red?vec3(1.,.10,.06):vec3(1.,.86,.62))*a*(.55+.6*h1(f*9.));c+=(red?vec3(1.,.10,.06):vec3(1.,.8,.5))*below*.035*exp(-pow(l/(w*7.),2.));}
 for(int i=0;i<15;i++){float f=float(i);float x=-1.+f*.145;float h=.10+.42*pow(h1(f*4.1),1.5);vec2 b=p-vec2(x,vp.y);float d=max(abs(b.x)-.07,b.y-h);if(b.y>0.){c=mix(c,vec3(.016,.018,.032),smoothstep(.004,-.004,d));
   vec2 g=vec2(b.x*52.,b.y*44.);vec2 id=floor(g),w=fract(g)-.5;float lit=step(.62,h2(id+f*7.));c+=mix(vec3(1.,.62,.26),vec3(.6,.8,1.),h2(id*3.+f))*lit*.5*smoothstep(.32,.22,max(abs(w.x),abs(w.y)))*step(d,-.008);}}
 float gl=exp(-9.*length(q*vec2(.5,1.6)));c+=vec3(1.,.55,.25)*.30*gl;
 float arch=abs(q.y-.34+.20*q.x*q.x)-.018;c=mix(c,vec3(.008,.009,.016),smoothstep(.005,-.005,arch));for(int i=0;i<13;i++){float x=-1.05+.17*float(i);float top=.34-.20*x*x;c=mix(c,vec3(.008,.009,.016),smoothstep(.003,-.003,max(abs(q.x-x)-.004,abs(q.y-top*.5)-top*.5))*step(0.,q.y));c+=vec3(1.,.7,.36)*.0011/(.00035+pow(length(q-vec2(x,top+.035)),2.))*.35;}
 return c;`;

const BOX = `vec3 c=mix(vec3(.03,.05,.085),vec3(.010,.014,.03),smoothstep(-.5,.9,p.y))*(.8+.4*fb(p*vec2(3.,2.)));for(int i=0;i<26;i++){float f=float(i);vec2 q=vec2((h1(f*3.)*2.-1.)*.95,-.05+.6*(h1(f*5.)-.3));float r=.02+.05*h1(f*7.);c+=mix(vec3(1.,.5,.2),vec3(.2,.5,1.),step(.62,h1(f*9.)))*.12*smoothstep(r,r*.88,length(p-q));}
 float gr=-.62;if(p.y<gr){float t=gr-p.y;c=vec3(.02,.03,.045)*(.6+.7*fb(vec2(p.x*9./(t+.3),8./(t+.1))));float pool=exp(-pow((p.x-.05)/(.30+.35*t),2.));c+=vec3(.95,.85,.55)*pool*.55*exp(-1.6*t)*(.45+.8*fb(vec2(p.x*24.,p.y*8.)));}
 vec2 q=p-vec2(.05,-.10);float body=max(abs(q.x)-.26,abs(q.y)-.56);c+=vec3(.95,.8,.5)*.10*exp(-5.*max(body,0.));
 vec3 inside=mix(vec3(1.25,1.02,.62),vec3(.62,.48,.28),smoothstep(.5,-.5,q.y));float who=coat((q-vec2(-.03,-.53))*1.12)/1.12;inside=mix(inside,vec3(.03,.025,.03),smoothstep(.007,-.007,who));
 float arm=seg(q,vec2(.03,.17),vec2(.11,.29))-.026;arm=min(arm,seg(q,vec2(.11,.29),vec2(.04,.40))-.022);inside=mix(inside,vec3(.03,.025,.03),smoothstep(.006,-.006,arm));
 c=mix(c,inside,smoothstep(.005,-.005,body));float frame=min(abs(abs(q.x)-.25)-.018,abs(abs(q.y)-.55)-.022);frame=min(frame,min(abs(q.x-.085)-.006,abs(q.x+.085)-.006));frame=min(frame,min(abs(fract(q.y*5.4)-.5)/5.4-.006,1.));
 c=mix(c,vec3(.30,.022,.018)*(.4+.6*smoothstep(.3,-.3,q.x)),smoothstep(.004,-.004,max(frame,body-.02)));
 float top=max(abs(q.x)-.29,abs(q.y-.63)-.075);c=mix(c,vec3(.26,.02,.016)*(.4+.6*smoothstep(.3,-.3,q.x)),smoothstep(.005,-.005,top));c=mix(c,vec3(1.3,1.15,.8),smoothstep(.005,-.005,max(abs(q.x)-.19,abs(q.y-.625)-.032)));
 c=mix(c,vec3(.05,.04,.03),smoothstep(.004,-.004,max(abs(q.y-.625)-.010,abs(fract(q.x*17.)-.5)/17.-.017+.5*max(0.,abs(q.x)-.15)))*step(abs(q.x),.16)*.9);return c;`;

const TRAM = `vec3 c=vec3(.012,.014,.024);for(int i=0;i<60;i++){float f=float(i);float y=h1(f*3.1)*1.6-.75;float x=h1(f*1.7)*2.8-1.4;float w=.08+.5*h1(f*5.);float t=.004+.014*h1(f*7.);vec2 d=vec2(max(abs(p.x-x)-w,0.),p.y-y);float a=exp(-pow(d.y/t,2.))*exp(-pow(d.x/.12,2.));float k=h1(f*9.);c+=(k<.5?vec3(1.,.5,.14):k<.8?vec3(1.,.16,.1):vec3(.2,.55,1.))*a*.5;}
 vec2 q=p-vec2(0,-.02);float car=max(abs(q.x)-1.9,abs(q.y)-.52);vec3 wall=vec3(.42,.30,.085)*(.30+.35*smoothstep(-.6,.5,q.y));float win=1.;float wi=0.;
 for(int i=-2;i<3;i++){float x=float(i)*.72+.1;float d=max(abs(q.x-x)-.30,abs(q.y-.13)-.27)-.03;if(d<win){win=d;wi=float(i);}}
 vec2 w=vec2(q.x-wi*.72-.1,q.y-.13);vec3 inside=mix(vec3(.95,.86,.58),vec3(.55,.44,.26),smoothstep(.28,-.28,w.y));inside*=.62+.06*sin(w.x*9.);inside=mix(inside,vec3(1.4,1.3,1.05),smoothstep(.012,-.012,max(abs(w.y-.235)-.012,abs(w.x)-.24)));
 if(wi==0.){vec2 s=rt(-.22)*(w-vec2(-.08,-.30));float d=smn((length((s-vec2(0,.02))/vec2(.19,.19))-1.)*.18,(length((s-vec2(-.0,.29))/vec2(.075,.098))-1.)*.08,.05);float hat=max((length((s-vec2(0,.33))/vec2(.085,.085))-1.)*.08,.315-s.y);inside=mix(inside,vec3(.05,.04,.05),smoothstep(.006,-.006,d));inside=mix(inside,vec3(.45,.09,.05),smoothstep(.006,-.006,hat));}
 if(wi==1.||wi==-2.){vec2 s=w-vec2(.1,-.30);float d=smn((length((s-vec2(0,.0))/vec2(.17,.17))-1.)*.16,(length((s-vec2(0,.26))/vec2(.07,.09))-1.)*.07,.05);inside=mix(inside,vec3(.10,.08,.07),smoothstep(.006,-.006,d));}
 inside=mix(inside,vec3(.25,.05,.04),smoothstep(.006,-.006,max(abs(w.x-.24)-.05,w.y+.1))*.8);vec3 k=mix(wall,inside,smoothstep(.006,-.006,win));k=mix(k,vec3(.03,.025,.02),smoothstep(.006,-.0,abs(win)-.008)*.8);k=mix(k,vec3(.85,.78,.6)*.4,smoothstep(.004,-.004,abs(q.y+.27)-.012));
 c=mix(c,k,smoothstep(.006,-.006,car));c+=vec3(.95,.75,.4)*.14*exp(-6.*max(car,0.))*(1.-smoothstep(.006,-.006,car));if(p.y<-.56){float t=-.56-p.y;c+=vec3(.9,.7,.38)*.30*exp(-3.*t)*(.4+.9*fb(vec2(p.x*30.,p.y*6.)))*(.5+.5*cos((p.x-.1)*8.7));}
 return c;`;

export const scenes = [
  night('aurelio-1', discs('1.', [AMBER, RED, BLUE, WHITE]) + WALK, {}, RIM),
  night('aurelio-2', `${RAIN}${discs('40.', [AMBER, GREEN, RED, WHITE])}${RAIN_END}`),
  night('aurelio-3', `${facade('2.6', '2.2')}return c;`, { bloom: 0.7 }),
  night('aurelio-4', STREET_LIGHT, {}, RIM),
  night('aurelio-5', CINEMA, { bloom: 0.5 }, RIM),
  night('aurelio-6', TRAILS, { size: LANDSCAPE }),
  night('aurelio-7', BOX, { bloom: 0.35 }, RIM),
  night('aurelio-8', TRAM, { size: LANDSCAPE, bloom: 0.35 }),
  night(
    'aurelio-9',
    `${discs('77.', [PINK, BLUE, AMBER, WHITE])}for(int s=0;s<2;s++){vec2 q=(p-vec2(s==0?-.20:.16,-.98))*vec2(1.,.80);q/=s==0?1.18:1.1;q=rt(s==0?-.05:.06)*q;float d=coat(q)*.9;c=dark(c,d*1.6,q.x);}
 return c;`,
    {},
    RIM,
  ),
  night('aurelio-10', `${discs('130.', [BLUE, WHITE, AMBER, RED])}return c;`, {}),
  night(
    'aurelio-cover',
    `${discs('9.', [AMBER, RED, BLUE, WHITE], '2.2')}vec2 q=(p-vec2(.95,-1.0))/1.25;float d=coat(q);c=dark(c,d,q.x);return c;`,
    { size: COVER },
    RIM,
  ),
];
