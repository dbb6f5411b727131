"""HTTP and S3 requests of the soak run, with the standard library only."""
import hashlib, hmac, http.client, json, threading, time, urllib.parse


class Failure(Exception):
    """A request without a usable response. `kind` is its class in the report."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The code of a problem document or of an S3 error."""
        text = self.body[:2000].decode("utf-8", "replace")
        if text.startswith("{"):
            return self.json().get("code", "")
        return text.split("<Code>")[1].split("</Code>")[0] if "<Code>" in text else ""

    def cookies(self):
        pairs = [value.split(";")[0].split("=", 1) for name, value in self.headers if name.lower() == "set-cookie"]
        return {name: value for name, value in pairs}

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


class Connections(threading.local):
    """The open connections of one thread."""

    # The server closes a connection after 60 seconds without a request.
    longest_idle = 30

    def __init__(self):
        self.open = {}

    def send(self, address, method, path, headers, body, timeout=45):
        known = self.open.pop(address, None)
        connection = known[0] if known and time.monotonic() - known[1] < self.longest_idle else None
        if known and not connection:
            known[0].close()
        connection = connection or http.client.HTTPConnection(*address, timeout=timeout)
        try:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            answer = Answer(response.status, response.getheaders(), response.read())
        except TimeoutError:
            connection.close()
            raise Failure("timeout") from None
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise Failure(type(error).__name__) from None
        if response.will_close:
            connection.close()
        else:
            self.open[address] = (connection, time.monotonic())
        return answer


def address_of(url):
    parts = urllib.parse.urlsplit(url)
    return parts.hostname, parts.port


def signed_headers(credentials, method, path, body, host, offset=0):
    """Returns the headers of AWS Signature Version 4. `offset` moves the clock, in seconds."""
    now = time.gmtime(time.time() + offset)
    stamp, day = time.strftime("%Y%m%dT%H%M%SZ", now), time.strftime("%Y%m%d", now)
    digest = hashlib.sha256(body or b"").hexdigest()
    headers = {
        "host": host, "x-amz-content-sha256": digest, "x-amz-date": stamp,
    }
    if "sessionToken" in credentials:
        headers["x-amz-security-token"] = credentials["sessionToken"]
    names = ";".join(sorted(headers))
    canonical = "\n".join(
        [method, path, "", *(f"{name}:{headers[name]}" for name in sorted(headers)), "", names, digest])
    scope = f"{day}/{credentials['region']}/s3/aws4_request"
    text = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + credentials["secretAccessKey"]).encode()
    for part in (day, credentials["region"], "s3", "aws4_request"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={credentials['accessKeyID']}/{scope}, SignedHeaders={names}, "
        f"Signature={signature}")
    return headers
