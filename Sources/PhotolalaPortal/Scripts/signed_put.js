// A PUT that was signed for some bytes.

// Milliseconds without progress after which it is given up.
const stall = 90_000;

/**
 * Sends the bytes; XMLHttpRequest tells how many have gone. Rejects with `isRefused` where the same would fare no better.
 */
export function put({ url, headers }, body, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", url);
    // As long as its room is kept: half a minute, and 32 KiB a second.
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
      if (request.status < 300) resolve();
      else reject(Object.assign(new Error(), { isRefused: request.status < 500 }));
    };
    // The file may have changed, which is told like a broken line.
    request.onerror = () => reject(Object.assign(new Error(), { isRefused: true }));
    request.onabort = () => reject(new Error());
    request.onloadend = () => clearTimeout(timer);
    watch();
    request.send(body);
  });
}
