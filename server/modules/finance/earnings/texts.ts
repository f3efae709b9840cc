// earnings
export const aFan = 'A fan';
