/** Days on which people work. */

const SUNDAY = 0;
const SATURDAY = 6;

/** The same time of day, so many business days later; days are UTC's, and holidays are nobody's. */
export function addBusinessDays(from: Date, days: number): Date {
  const day = new Date(from);
  for (let left = days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (day.getUTCDay() !== SUNDAY && day.getUTCDay() !== SATURDAY) left -= 1;
  }
  return day;
}
