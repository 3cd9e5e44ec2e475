const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function formatAge(stamp, now = Date.now() / 1000) {
  const seconds = Math.max(0, Math.round(now - stamp));
  if (seconds < MINUTE) {
    return "just now";
  }
  if (seconds < HOUR) {
    return `${Math.floor(seconds / MINUTE)} min ago`;
  }
  if (seconds < DAY) {
    return `${Math.floor(seconds / HOUR)} h ago`;
  }
  return `${Math.floor(seconds / DAY)} d ago`;
}

export function formatWeight(grams) {
  if (!Number.isFinite(grams)) {
    throw new TypeError("weight is not a number");
  }
  return grams < 1000 ? `${grams} g` : `${(grams / 1000).toFixed(1)} kg`;
}
