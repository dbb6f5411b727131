// The texts of a photo's details in the page's language.

function format(value, digits) {
  const options = { maximumFractionDigits: digits, useGrouping: false };
  return new Intl.NumberFormat(document.documentElement.lang, options).format(value);
}

const words = text => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** Returns the make and model, without a make that the model repeats: `NIKON CORPORATION` and `NIKON D750`. */
export function cameraText({ make, model }) {
  if (!make || !model) return make ?? model;
  return words(make).includes(words(model)[0]) ? model : `${make} ${model}`;
}

export function exposureText({ exposureTime: time, aperture, sensitivity, focalLength }) {
  const parts = [
    time && `${time < 0.3 ? `1/${format(1 / time, 0)}` : format(time, 1)}\u{a0}s`,
    aperture && `ƒ/${format(aperture, 1)}`,
    sensitivity && `ISO\u{a0}${format(sensitivity, 0)}`,
    focalLength && `${format(focalLength, focalLength < 10 ? 1 : 0)}\u{a0}mm`,
  ];
  return parts.filter(Boolean).join(" · ") || undefined;
}

/** Returns coordinates in degrees, written as the server and maps write them in all languages. */
export function placeText({ latitude, longitude }) {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
}

export function placeAddress({ latitude, longitude }) {
  const [north, east] = [latitude.toFixed(7), longitude.toFixed(7)].map(Number);
  return `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=15/${north.toFixed(5)}/${east.toFixed(5)}`;
}

/** Returns a duration such as 0:07 or 1:02:03. */
export function durationText(duration) {
  if (!duration) return undefined;
  const seconds = Math.max(1, Math.round(duration));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3600) parts.unshift(Math.floor(seconds / 3600));
  return parts.map((part, index) => (index === 0 ? part : String(part).padStart(2, "0"))).join(":");
}
