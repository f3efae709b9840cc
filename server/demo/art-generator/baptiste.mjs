import { COVER, LANDSCAPE, solid } from './engine.mjs';

/** Materials: 1 lemon, 2 porcelain, 3 leaf, 4 tomato, 5 black plate, 6 crust, 7 steel, 8 avocado, 9 orange, 10 egg, 11 wood, 12 broth, 13 noodle, 14 blood orange, 16 flesh, 17 stone, else scales. */
const PANTRY = `vec3 bg(vec2 p,vec2 u){return vec3(.1);}
float lem(vec3 p,float s){return smn(ell(p,vec3(.36,.27,.27)*s),ell(p-vec3(.36*s,0,0),vec3(.09,.06,.06)*s),.08)
 -.004*ns(p.xy*60.+p.z*50.);}
float plate(vec3 p,float r){float x=length(p.xz);float y=.03+.1*smoothstep(r*.6,r,x);return max(abs(p.y-y)-.018,x-r)*.7;}
float deep(vec3 p,float r){float x=length(p.xz);float y=.05+.42*smoothstep(r*.35,r,x);return max(abs(p.y-y)-.022,x-r)*.5;}
float leaf(vec3 p,float l){return ell(p,vec3(l,.02,l*.34));}
float egg(vec3 p,float s){p/=s;p.y*=1.;float k=1.-.18*p.x;return ell(p*vec3(1,k,k),vec3(.3,.225,.225))*.85*s;}
float fish(vec3 p){float b=ell(p,vec3(.62,.09,.135));vec3 t=p-vec3(.66,0,0);
 float tail=max(abs(t.y)-.018,max(abs(t.z)-.16*smoothstep(-.14,.16,t.x)-.01,abs(t.x)-.15));return smn(b,tail,.07)*.8;}
float chive(vec3 p,vec3 a,vec3 b){return cap(p,a,b,.03);}
`;
const COLOURS = (linen) => `void mat(float id,vec3 p,vec3 n,inout vec3 al,inout float r,inout float s){
 if(id<.5){al=${linen}*(.88+.16*ns(p.xz*vec2(190.,60.))*ns(p.xz*vec2(60.,190.)));r=1.;s=.02;}
 else if(id<1.5){al=vec3(.95,.66,.05)*(.85+.2*fb(p.xz*6.));r=.45;s=.35;}
 else if(id<2.5){al=vec3(.86,.84,.8);r=.25;s=.7;}
 else if(id<3.5){al=vec3(.2,.33,.07)*(.8+.3*ns(p.xz*30.));r=.5;s=.3;}
 else if(id<4.5){al=vec3(.72,.07,.03);r=.2;s=.8;}
 else if(id<5.5){al=vec3(.1,.1,.12);r=.25;s=.8;}
 else if(id<6.5){float c=smoothstep(.42,.62,fb(p.xz*5.+p.y*3.));al=mix(vec3(.62,.3,.09),vec3(.24,.085,.025),c);
  al=mix(al,vec3(.82,.76,.66),smoothstep(.56,.68,fb(p.xz*3.+7.))*.55*smoothstep(.2,.8,n.y));r=.9;s=.06;}
 else if(id<7.5){al=vec3(.5,.51,.53);r=.18;s=1.5;}
 else if(id<8.5){al=vec3(.03,.05,.018)*(.7+.8*ns(p.xz*26.+p.y*20.));r=.5;s=.35;}
 else if(id<9.5){al=vec3(.95,.36,.03)*(.9+.1*ns(p.xz*50.+p.y*40.));r=.5;s=.3;}
 else if(id<10.5){al=mix(vec3(.72,.46,.3),vec3(.85,.72,.58),smoothstep(.35,.6,ns(p.xz*1.7+4.)))*(.95+.08*ns(p.xz*70.));r=.7;s=.12;}
 else if(id<11.5){al=vec3(.42,.24,.11)*(.75+.4*fb(p.xz*vec2(1.2,14.)));r=.7;s=.15;}
 else if(id<12.5){al=vec3(.48,.2,.035)*(.9+.2*fb(p.xz*4.));r=.1;s=1.;}
 else if(id<13.5){al=vec3(.9,.74,.42);r=.5;s=.3;}
 else if(id<14.5){float a=atan(p.z-CUT.y,p.x-CUT.x),l=length(p.xz-CUT);float g=abs(fract(a*10./(2.*PI))-.5);
  al=mix(vec3(.75,.06,.05),vec3(.92,.30,.08),ns(p.xz*40.));al=mix(vec3(.92,.8,.66),al,smoothstep(.03,.09,g*l*3.)*step(l,.37)*smoothstep(.03,.06,l));
  al=mix(al,vec3(.95,.42,.04),step(.42,l));r=.25;s=.6;}
 else if(id>16.5){al=vec3(.26,.11,.045)*(.8+.4*fb(p.xz*9.));r=.4;s=.4;}
 else if(id>15.5){al=vec3(.72,.72,.26);r=.45;s=.3;}
 else{al=vec3(.38,.44,.5)*(.5+.6*smoothstep(-.1,.12,p.y-.1))*(.85+.25*ns(vec2(p.x*20.,p.z*50.)));r=.15;s=1.3;}}`;

const NOON = {
  CUT: 'vec2(0)',
  EXPO: '.4',
  RO: 'vec3(.2,5.2,2.6)',
  TA: 'vec3(0,0,.1)',
  FOV: '3.5',
  KD: 'vec3(-1.2,1.1,-.75)',
  KC: 'vec3(3.3,2.9,2.3)',
  AM: 'vec3(.26,.28,.34)',
  SK: '26.',
  RC: 'vec3(.0)',
};
const table = (name, shapes, linen, studio = {}, options = {}) =>
  solid(
    name,
    `${PANTRY}vec2 map(vec3 p){
 vec2 r=vec2(p.y+.025*fb(p.xz*1.6+3.)-.05*pow(abs(sin(p.x*.9+p.z*.5+fb(p.xz)*1.4)),9.),0.);${shapes}return r;}${COLOURS(linen)}`,
    { ...NOON, ...studio },
    options,
  );

const LINEN = 'vec3(.62,.66,.72)';
const SAND = 'vec3(.82,.52,.3)';
const TEAL = 'vec3(.2,.42,.44)';
const WHITE = 'vec3(.8,.78,.74)';
const ROSE = 'vec3(.8,.42,.36)';
const MUSTARD = 'vec3(.82,.55,.12)';

const LEMONS = `r=un(r,plate(p-vec3(.12,0,-.1),1.05),2.);r=un(r,lem(ry(p-vec3(-.12,.34,-.25),.5),1.),1.);
 r=un(r,lem(ry(p-vec3(.5,.32,.12),2.2),.92),1.);r=un(r,lem(ry(p-vec3(-.95,.24,.85),-.5),.95),1.);
 r=un(r,leaf(ry(p-vec3(-.6,.36,-.5),.9),.3),3.);r=un(r,leaf(ry(p-vec3(.75,.1,.95),-.4),.32),3.);`;
const TOMATOES = `r=un(r,plate(p-vec3(-.1,0,0),1.2),5.);for(int i=0;i<7;i++){float f=float(i),k=i==6?0.:.58;
 r=un(r,length(p-vec3(-.1+k*cos(f*.9),.2,k*sin(f*.9)))-.16-.05*h1(f*4.),4.);}
 r=un(r,leaf(ry(p-vec3(.3,.34,-.2),.6),.24),3.);r=un(r,leaf(ry(p-vec3(-.45,.34,.22),2.),.24),3.);`;
const EGGS = `r=un(r,deep(p-vec3(0,0,-.05),1.05),2.);for(int i=0;i<6;i++){float f=float(i),k=i==5?0.:.46;
 r=un(r,egg(rz(ry(p-vec3(k*cos(f*1.26),.36+(i==5?.2:0.),-.05+k*sin(f*1.26)),f*2.1),.25),1.),10.);}
 r=un(r,egg(ry(p-vec3(1.02,.21,1.02),.7),1.),10.);`;
const SARDINES = `{vec3 q=ry(p-vec3(0,0,.0),.35);float d=length(q*vec3(.72,1,1.35));
 r=un(r,max(abs(q.y-.03-.06*smoothstep(.8,1.05,d))-.018,d-1.05)*.6,2.);
 for(int i=0;i<4;i++){float f=float(i);r=un(r,fish(rz(ry(q-vec3(-.1+.06*sin(f*4.),.14,-.42+f*.28),.08*sin(f*3.)+(mod(f,2.)*PI)),.02)),15.);}
 r=un(r,max(lem(ry(p-vec3(.95,.26,.95),2.4),.9),-(p.y-.3)*-1.-.12),1.);}
 r=un(r,leaf(ry(p-vec3(-.95,.08,.95),.7),.26),3.);`;
const KNIFE = `{vec3 q=ry(p-vec3(.15,.1,.55),.62);float bl=max(max(abs(q.y)-.012-.01*smoothstep(.1,-.2,q.z),abs(q.x+.35)-.72),max(-q.z-.1,q.z-.17+.22*smoothstep(-.35,-1.1,q.x)));
 r=un(r,bl*.7,7.);r=un(r,box(q-vec3(.78,0,-.02),vec3(.42,.045,.075),.04),5.);}`;
const CHIVES = `r=un(r,box(p-vec3(0,.04,-.05),vec3(1.22,.06,1.32),.05),11.);
 for(int i=0;i<9;i++){float f=float(i);float z=-.95+f*.095;r=un(r,chive(p,vec3(-.95,.15+.03*h1(f),z+.06*h1(f*3.)),vec3(.72+.2*h1(f*7.),.15,z-.10*h1(f*5.))),3.);}
 for(int i=0;i<16;i++){float f=float(i);vec3 a=vec3(-.85+1.1*h1(f*2.3),.135,.25+.75*h1(f*4.9));float t=h1(f*8.)*6.;r=un(r,chive(p,a,a+.06*vec3(cos(t),0,sin(t))),3.);}`;
const AVOCADOS = `for(int i=0;i<4;i++){float f=float(i);vec3 at=i==0?vec3(-.52,.2,-.62):i==1?vec3(.5,.2,-.2):i==2?vec3(-.38,.2,.55):vec3(.72,.24,.95);
 vec3 q=ry(p-at,.5+1.3*f);float d=smn(length(q)-.34,ell(q-vec3(.3,0,0),vec3(.26,.2,.2)),.22);
 if(i<3){float pit=length(q-vec3(0,.05,0))-.17,meat=max(d+.03,q.y-.056);if(i==1)meat=max(meat,-pit);else r=un(r,pit,17.);
  r=un(r,meat,16.);d=max(d,q.y-.03);if(i==1)d=max(d,-pit+.02);}
 r=un(r,d-.006*n3(q*34.),8.);}`;
const BROTH = `r=un(r,deep(p-vec3(0,.05,0),1.25),5.);r=un(r,max(length(p.xz)-.98,p.y-.3)*.8,12.);
 {vec2 q=p.xz-vec2(-.22,.16);float l=length(q),a=atan(q.y,q.x);float w=abs(fract(l*11.+.18*sin(a*3.+l*8.))-.5)/11.;
 r=un(r,max(length(vec2(w-.0,p.y-.30-.05*smoothstep(.5,.1,l)))-.028,l-.52)*.55,13.);}
 {vec3 q=ry(p-vec3(.5,.31,-.36),.5);r=un(r,max(ell(q,vec3(.3,.2,.23)),q.y-.03),2.);r=un(r,max(length(q-vec3(.03,-.02,0))-.135,q.y-.045),9.);}
 {vec3 q=ry(p-vec3(.42,.31,.36),2.1);r=un(r,max(ell(q,vec3(.3,.2,.23)),q.y-.03),2.);r=un(r,max(length(q-vec3(.03,-.02,0))-.135,q.y-.045),9.);}
 for(int i=0;i<13;i++){float f=float(i);vec3 q=p-vec3(-.5+.9*h1(f*3.1),.345,-.75+.5*h1(f*5.7));q=rz(q,.3*sin(f));r=un(r,max(abs(length(q.xz)-.05)-.014,abs(q.y)-.02),3.);}
 for(int i=0;i<2;i++){vec3 q=ry(p-vec3(.0,.42,.0),.72);r=un(r,cap2(q,vec3(-1.9,.02,1.05+.13*float(i)),vec3(1.5,.16,1.15-.02*float(i)),.035,.022),11.);}`;
const LOAF = `{vec3 q=ry(p-vec3(0,.26,0),.75);float d=ell(q,vec3(1.05,.4,.5));
 for(int i=0;i<4;i++){vec3 k=ry(q-vec3(-.6+.4*float(i),.4,0),.75);d=-smn(-d,ell(k,vec3(.06,.09,.36)),.05);}r=un(r,(d-.008*fb(q.xz*14.))*.75,6.);}
 for(int i=0;i<22;i++){float f=float(i);r=un(r,length(p-vec3(-1.1+2.2*h1(f*2.1),.02,.55+.75*h1(f*3.3)))-.012-.022*h1(f*9.),6.);}`;
const ORANGES = `r=un(r,max(length(p-vec3(-.42,.12,-.3))-.46,p.y-.2),14.);
 r=un(r,length(p-vec3(.5,.42,-.55))-.42+.003*ns(p.xz*70.),9.);r=un(r,length(p-vec3(.38,.4,.42))-.4+.003*ns(p.xz*70.),9.);
 r=un(r,length(p-vec3(-.55,.38,.72))-.39+.003*ns(p.xz*70.),9.);r=un(r,leaf(rz(ry(p-vec3(.86,.7,.2),.5),.3),.27),3.);
 r=un(r,leaf(ry(p-vec3(-1.,.06,.15),1.9),.3),3.);`;
const RADISHES = `for(int i=0;i<7;i++){float f=float(i);vec3 q=ry(p-vec3(-.85+.28*f,.17,-.1+.12*sin(f*2.7)),.25*sin(f*5.)-1.57);
 float b=smn(length(q)-.17-.02*h1(f),cap2(q,vec3(-.1,0,0),vec3(-.52,-.12,.06*sin(f)),.05,.006),.1);r=un(r,b,q.x<-.12?2.:4.);
 r=un(r,cap2(q,vec3(.14,0,0),vec3(.8,.04,.1*sin(f*3.)),.03,.02),3.);r=un(r,leaf(rx(rz(ry(q-vec3(.95,.05,.1*sin(f*3.)),.2*sin(f*7.)),-.1),.35*sin(f*4.)),.3),3.);}`;
const COVER_TABLE = `r=un(r,plate(p-vec3(-1.75,0,-.1),.95),2.);r=un(r,lem(ry(p-vec3(-1.95,.34,-.2),.5),.95),1.);r=un(r,lem(ry(p-vec3(-1.5,.32,.15),2.2),.9),1.);
 r=un(r,plate(p-vec3(1.9,0,.2),.95),5.);for(int i=0;i<7;i++){float f=float(i),k=i==6?0.:.48;r=un(r,length(p-vec3(1.9+k*cos(f*.9),.2,.2+k*sin(f*.9)))-.15-.04*h1(f*4.),4.);}
 r=un(r,length(p-vec3(.2,.36,-.75))-.36,9.);r=un(r,length(p-vec3(.55,.34,-.1))-.34,9.);r=un(r,leaf(ry(p-vec3(-.2,.06,-.2),.6),.3),3.);
 r=un(r,egg(ry(p-vec3(-.2,.21,.75),.7),1.),10.);r=un(r,egg(ry(p-vec3(.4,.21,.95),2.4),1.),10.);r=un(r,leaf(ry(p-vec3(.95,.06,.85),-.9),.28),3.);
 r=un(r,lem(ry(p-vec3(3.3,.24,-.7),-.5),.95),1.);r=un(r,length(p-vec3(-3.2,.34,.5))-.33,9.);`;

export const scenes = [
  table('baptiste-1', LEMONS, LINEN),
  table('baptiste-2', TOMATOES, SAND),
  table('baptiste-3', EGGS, TEAL),
  table('baptiste-4', SARDINES, ROSE, { FOV: '3.3' }),
  table('baptiste-5', CHIVES + KNIFE, WHITE, { FOV: '3.2' }),
  table('baptiste-6', AVOCADOS, MUSTARD, { FOV: '3.4' }),
  table('baptiste-7', BROTH, SAND, { RO: 'vec3(.1,5.4,1.6)', FOV: '3.4' }),
  table('baptiste-8', LOAF, LINEN, { RO: 'vec3(.1,3.6,4.2)', TA: 'vec3(0,.1,.15)', FOV: '3.5', SK: '20.' }),
  table('baptiste-9', ORANGES, TEAL, { CUT: 'vec2(-.42,-.3)', FOV: '3.3' }),
  table('baptiste-10', RADISHES, WHITE, { RO: 'vec3(.1,5.4,1.2)', TA: 'vec3(0,0,-.25)', FOV: '3.4' }),
  table(
    'baptiste-11',
    LEMONS + KNIFE.replace('vec3(.15,.1,.55),.62', 'vec3(1.75,.06,.4),1.2'),
    MUSTARD,
    { RO: 'vec3(.4,3.3,4.6)', TA: 'vec3(.4,.12,.12)', FOV: '3.5' },
    { size: LANDSCAPE },
  ),
  table(
    'baptiste-cover',
    COVER_TABLE,
    SAND,
    { RO: 'vec3(.1,5.2,3.)', TA: 'vec3(.05,0,.1)', FOV: '2.7' },
    { size: COVER },
  ),
];
