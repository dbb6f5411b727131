/** Returns a text as it is compared: without case, accents and marks. */
export function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
