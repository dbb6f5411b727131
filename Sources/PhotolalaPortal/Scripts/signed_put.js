// Sends a signed PUT.

// Milliseconds without progress before the request is aborted.
const stall = 90_000;

/**
 * Sends the bytes with XMLHttpRequest, which reports upload progress. Returns the tag of what was stored. Rejects with
 * `isRefused` if the same request would fail again, `isUnclear` if it may not, `isLost` if the store has no such upload,
 * and when the signal is aborted.
 */
export function put({ url, headers }, body, signal, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    // Matches the lifetime of the quota reservation: 30 seconds plus 1 second per 32 KiB.
    request.timeout = 30_000 + (body.size / 32_768) * 1000;
    request.ontimeout = () => reject(new Error());
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    let timer;
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), stall);
    };
    request.upload.onprogress = event => {
      watch();
      progress?.(event.loaded);
    };
    request.onload = () => {
      const { status } = request;
      if (status < 300) resolve(request.getResponseHeader("etag"));
      else reject(Object.assign(new Error(), { isRefused: status < 500, isLost: status === 404 }));
    };
    // A file that changed on disk is reported like a network error.
    request.onerror = () => reject(Object.assign(new Error(), { isRefused: true, isUnclear: true }));
    request.onabort = () => reject(new Error());
    const abort = () => request.abort();
    request.onloadend = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    if (signal.aborted) return reject(new Error());
    signal.addEventListener("abort", abort);
    watch();
    request.send(body);
  });
}
